// What is being written, for when the page is loaded again: kept by the browser until its tab is closed.

const KEY = 'puppet-playground-draft';

/** Keep a program, which was written at the address with this fragment. */
export function keep(code, fragment) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ code, fragment }));
  } catch {
    // A browser may refuse a page its storage, or have no room left.
  }
}

/** Return the program that was written at the address with this fragment, null without one. */
export function kept(fragment) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY));
    return draft?.fragment === fragment ? draft.code : null;
  } catch {
    return null;
  }
}
