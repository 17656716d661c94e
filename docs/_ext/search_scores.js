// The scores of Sphinx, except that pages that explain come before lessons and background.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score([name, , , , score]) {
    return score - (/^(notebooks|decisions)\/|^(api.*|architecture|changelog|differences|maintaining|speed)$/.test(name) ? 10 : 0);
  },
};
