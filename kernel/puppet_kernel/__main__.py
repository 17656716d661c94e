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

    class Application(IPKernelApp):
        """The application of ipykernel, in which no thread waits for one that has ended."""

        def start(self) -> None:
            """Answer requests until one asks for the end."""
            super().start()
            # After the last reply, the control thread waits until the thread of the IOPub channel
            # has sent all output. When Python ends, it ends that thread first.
            if self.control_thread and self.control_thread.is_alive():
                self.control_thread.stop()
                self.control_thread.join()

    gc.freeze()
    gc.enable()
    own, others = split_arguments(sys.argv[1:])
    config = Config({"PuppetKernel": {"session_arguments": own}} if own else {})
    Application.launch_instance(argv=others, kernel_class=PuppetKernel, config=config)
