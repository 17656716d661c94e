// Blocks that are wider than the page scroll: by keyboard, too.
function reachScrolled() {
  for (const block of document.querySelectorAll('article :is(pre, .table-wrapper, .notebook-output)')) {
    if (block.scrollWidth > block.clientWidth || block.scrollHeight > block.clientHeight) {
      block.tabIndex = 0;
    } else {
      block.removeAttribute('tabindex');
    }
  }
}

addEventListener('load', reachScrolled);
addEventListener('resize', reachScrolled);
