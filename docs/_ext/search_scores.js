// The scores of Sphinx, except that pages that explain come before lessons and background, and
// pages with more of the words in their title before others.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score([name, title, , , score]) {
    const query = new URLSearchParams(location.search).get('q') || '';
    const wanted = query.toLowerCase().split(/\W+/).filter(Boolean);
    const found = wanted.filter((word) => title.toLowerCase().includes(word));
    const isAside = /^(notebooks|decisions)\/|^(api.*|architecture|changelog|differences|faq|maintaining|speed)$/.test(name);
    return score + (5 * found.length) / (wanted.length || 1) - (isAside ? 10 : 0);
  },
};
