"""``python -P -m puppet_kernel -f CONNECTION_FILE [OPTIONS]``: what the kernelspec starts."""

import gc
import sys

if __name__ == "__main__":
    # Modules are never garbage: looking for some while they are loaded takes a tenth of the start.
    gc.disable()

    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    from puppet_kernel.kernel import PuppetKernel
    from puppet_kernel.session_arguments import split_arguments

    gc.freeze()
    gc.enable()
    own, others = split_arguments(sys.argv[1:])
    config = Config({"PuppetKernel": {"session_arguments": own}} if own else {})
    IPKernelApp.launch_instance(argv=others, kernel_class=PuppetKernel, config=config)
