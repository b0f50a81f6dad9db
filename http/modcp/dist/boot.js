// Runs before the first paint, as a file because the content security policy
// forbids inline scripts: sets theme, language and direction so nothing flashes.
(function () {
  var root = document.documentElement;
  var read = function (key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  var scheme = read('docket.scheme');
  if (scheme !== 'light' && scheme !== 'dark') {
    scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }
  root.setAttribute('data-mantine-color-scheme', scheme);
  // As preferredLocale does, for a browser in which no language was chosen.
  var wanted = navigator.languages.map(function (language) {
    return language.toLowerCase().split('-')[0];
  });
  var locale =
    read('docket.locale') ||
    wanted.find(function (id) {
      return id === 'en' || id === 'ar';
    });
  if (locale === 'ar') {
    root.lang = 'ar';
    root.dir = 'rtl';
  }
  // Keys that are pressed before the panel runs wait for it: see ShortcutProvider.
  var early = [];
  var keep = function (event) {
    if (early.length < 50 && !event.target.closest('input, textarea')) early.push(event);
  };
  if (location.pathname.indexOf('/modcp') === 0) addEventListener('keydown', keep);
  window.takeEarlyKeys = function () {
    removeEventListener('keydown', keep);
    return early.splice(0);
  };
})();
