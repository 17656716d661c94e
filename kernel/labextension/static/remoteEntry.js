// The container that JupyterLab loads: what webpack's module federation expects of an extension.
// That for JupyterLite has this one too.
(() => {
  'use strict';

  // Where the other files are: below any base URL, in the directory 'static' of that of the extension.
  const directory = new URL('.', document.currentScript.src).href;
  const NAME = directory.split('/').at(-3);
  let scope = {};
  let loaded;

  /** Return a library that JupyterLab shares, undefined where it does not. */
  async function shared(name) {
    const versions = Object.values(scope[name] ?? {});
    const version = versions.find(({ loaded }) => loaded) ?? versions[0];
    return version && (await version.get())();
  }

  const load = () => (loaded ??= import(`${directory}extension.js`));

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = {
    init(shareScope) {
      scope = shareScope;
    },
    async get(module) {
      const { modules } = await load();
      const exported = await modules[module](shared, directory);
      return () => ({ __esModule: true, ...exported });
    }
  };
})();
