// What is being written, for when the page is loaded again: kept by the browser until its tab is closed.

const KEY = 'puppet-playground-draft';

/**
 * Keep { code, facts, isForeign }: a program, which was written at the address with this fragment,
 * and the chosen facts. `isForeign` tells that it came with a link, and that the reader has not run
 * it.
 */
export function keep(draft, fragment) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, fragment }));
  } catch {
    // A browser may refuse a page its storage, or have no room left.
  }
}

/** Return { code, facts, isForeign } of what was written at the address with this fragment, or null. */
export function kept(fragment) {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY));
    return draft?.fragment === fragment ? draft : null;
  } catch {
    return null;
  }
}
