"""``python -P -m puppet_kernel -f CONNECTION_FILE``: what the kernelspec starts."""

from ipykernel.kernelapp import IPKernelApp

from puppet_kernel.kernel import PuppetKernel

if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=PuppetKernel)
