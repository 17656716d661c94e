// Light or dark: as the system has it, until the reader chooses.

const KEY = 'puppet-playground-theme';
const isSystemDark = matchMedia('(prefers-color-scheme: dark)');

/** Let a button switch between the themes. */
export function connectTheme(button) {
  const shown = () => {
    const chosen = stored();
    return chosen ?? (isSystemDark.matches ? 'dark' : 'light');
  };
  const apply = () => {
    const theme = shown();
    document.documentElement.dataset.theme = theme;
    button.setAttribute('aria-pressed', `${theme === 'dark'}`);
  };
  button.addEventListener('click', () => {
    store(shown() === 'dark' ? 'light' : 'dark');
    apply();
  });
  isSystemDark.addEventListener('change', apply);
  apply();
}

// A browser may refuse a page its storage; the choice lasts as long as the page then.
let kept = null;

function stored() {
  try {
    return localStorage.getItem(KEY) ?? kept;
  } catch {
    return kept;
  }
}

function store(theme) {
  kept = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It is kept above.
  }
}
