// The examples of the page's menu; the first one is shown at the start.

import classes from '../examples/classes.pp';
import error from '../examples/error.pp';
import iteration from '../examples/iteration.pp';
import resources from '../examples/resources.pp';
import template from '../examples/template.pp';
import types from '../examples/types.pp';

export const EXAMPLES = [
  { name: 'resources', title: 'Resources in order', text: resources },
  { name: 'types', title: 'Data types', text: types },
  { name: 'iteration', title: 'Iteration and tables', text: iteration },
  { name: 'classes', title: 'Classes and facts', text: classes },
  { name: 'template', title: 'A template (EPP)', text: template },
  { name: 'error', title: 'An error and its place', text: error }
];
