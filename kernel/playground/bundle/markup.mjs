// What the engine sends as HTML and Markdown, made safe. The engine escapes the texts of users; here
// only what its outputs consist of is let through all the same.

import DOMPurify from 'dompurify';
import { Marked } from 'marked';

const ALLOWED = {
  ALLOWED_TAGS: [
    ...['div', 'span', 'pre', 'code', 'p', 'br', 'hr', 'em', 'strong', 'blockquote'],
    ...['table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td', 'details', 'summary', 'img'],
    ...['ul', 'ol', 'li', 'a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']
  ],
  ALLOWED_ATTR: ['class', 'style', 'colspan', 'alt', 'src', 'href', 'target', 'rel'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true
};
// Of styles: nothing that leaves its place or loads anything.
const STYLE = /^(?:\s*(?:background-color|color|padding|padding-left|text-align|white-space|font-size|line-height|word-break|overflow-wrap)\s*:[\w#%.\s-]+(?:;|$))*$/;
const PICTURE = 'data:image/svg+xml;base64,';

const purify = DOMPurify(window);
purify.addHook('uponSanitizeAttribute', (element, data) => {
  const { attrName: name, attrValue: value } = data;
  if (name === 'style') {
    data.keepAttr = STYLE.test(value);
  } else if (name === 'src') {
    // An image runs no scripts and loads nothing.
    data.keepAttr = element.tagName === 'IMG' && value.startsWith(PICTURE);
  } else if (name === 'href') {
    data.keepAttr = /^https?:/.test(value);
  }
});
purify.addHook('afterSanitizeAttributes', element => {
  if (element.tagName === 'A') {
    element.target = '_blank';
    element.rel = 'noopener noreferrer';
  }
});
const reader = new Marked({ gfm: true, async: false });

/** Return HTML as a fragment of the page. */
export function html(text) {
  return purify.sanitize(text, ALLOWED);
}

/** Return Markdown as a fragment of the page. */
export function markdown(text) {
  return html(reader.parse(text));
}
