// Writes the licences of the packages that are in the bundle, which esbuild's metafile names.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = 'node_modules/';

/** Return the directories of the packages of which the bundle has a part. */
function bundled(metafile) {
  const found = new Set();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const at = path.lastIndexOf(PACKAGES);
      if (at < 0 || bytesInOutput === 0) {
        continue;
      }
      const [first, second] = path.slice(at + PACKAGES.length).split('/');
      found.add(path.slice(0, at + PACKAGES.length) + (first.startsWith('@') ? join(first, second) : first));
    }
  }
  return [...found].sort();
}

function notice(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const files = readdirSync(directory).filter(file => /^(licen[cs]e|notice|third)/i.test(file)).sort();
  if (!files.some(file => /^licen/i.test(file))) {
    throw new Error(`the package ${name} is in the bundle, and has no file with its license`);
  }
  const texts = files.map(file => readFileSync(join(directory, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

const [metafile, target] = process.argv.slice(2);
const notices = bundled(JSON.parse(readFileSync(metafile, 'utf8'))).map(notice);
writeFileSync(target, [
  'The program of this extension, out/extension.js, contains these packages.',
  ...notices
].join(`\n\n${'-'.repeat(72)}\n\n`) + '\n');
