// Comments of lines in templates: VS Code knows no end of a tag in the line.

/** Return lines as comments, or without the comment if all of them are one; blank ones stay. */
export function toggled(lines: string[]): string[] {
  const filled = lines.filter(line => line.trim() !== '');
  return filled.every(line => uncommented(line) !== undefined)
    ? lines.map(line => uncommented(line) ?? line)
    : lines.map(line => line.trim() === '' ? line : commented(line));
}

/** Return a line as a comment: the end of a tag in it is written with one more percent sign. */
function commented(line: string): string {
  return line.replace(/^(\s*)(.*?)(\s*)$/, (_, before: string, text: string, after: string) =>
    `${before}<%# ${text.replace(/%+>/g, end => `%${end}`)} %>${after}`);
}

function uncommented(line: string): string | undefined {
  const [, before = '', text = '', after = ''] = /^(\s*)<%# ?(.*?) ?%>(\s*)$/.exec(line) ?? [];
  const isOne = line.trim().startsWith('<%#') && line.trim().endsWith('%>') && !/(?<!%)%>/.test(text);
  return isOne ? before + text.replace(/%(%+>)/g, '$1') + after : undefined;
}

/** Tell whether a text of a template ends within a tag. */
export function endsInTag(text: string): boolean {
  const marks = text.match(/<%%|%%>|<%|%>/g) ?? [];
  return marks.filter(mark => mark.length === 2).at(-1) === '<%';
}
