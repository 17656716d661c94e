// The module of the extension: the plugin that registers the kernel.

import { Files } from './files.js';
import { makeKernel } from './kernel.js';
import { Session } from './engine/client.mjs';

async function loadPlugins(shared, directory) {
  const { BaseKernel, IKernelClient, IKernelSpecs } = await shared('@jupyterlite/services');
  const { KernelMessage } = await shared('@jupyterlab/services');
  const { Notification } = await shared('@jupyterlab/apputils');
  const PuppetKernel = makeKernel(BaseKernel, KernelMessage);
  const tellFailure = session => {
    session.start().catch(({ message }) => {
      Notification.error(`Puppet cannot be started: ${message}`, { autoClose: false });
    });
  };

  const plugin = {
    id: 'puppet-repl-jupyterlite:kernel',
    description: 'The Puppet kernel, which runs in a worker of the page.',
    autoStart: true,
    requires: [IKernelSpecs, IKernelClient],
    activate({ serviceManager: { contents } }, specs, client) {
      passInterruptsOn(client);
      specs.register({
        spec: {
          name: 'puppet',
          display_name: 'Puppet',
          language: 'puppet',
          argv: [],
          resources: {
            'logo-svg': `${directory}logo-svg.svg`,
            'logo-64x64': `${directory}logo-64x64.png`
          }
        },
        async create(options) {
          const files = new Files(contents, options.location);
          const session = new Session(undefined, undefined, () => files.requests());
          const kernel = new PuppetKernel(options, session);
          kernel.disposed.connect(files.follow(session));
          tellFailure(session);
          return kernel;
        }
      });
    }
  };
  return { default: [plugin] };
}

/**
 * Let interrupts reach the kernel. JupyterLite takes the cells back that wait, and has no way to
 * tell the kernel to stop the one that runs.
 */
function passInterruptsOn(client) {
  const interrupt = client.interrupt.bind(client);
  client.interrupt = async id => {
    await interrupt(id);
    const kernel = await client.getModel(id);
    await kernel?.interrupt?.();
  };
}

export const modules = { './extension': loadPlugins };
