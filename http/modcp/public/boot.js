// Runs before the first paint: sets theme, language and direction so nothing flashes. A build writes it into
// index.html, without the lines that are comments.
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
  if (locale !== 'ar') locale = 'en';
  else {
    root.lang = 'ar';
    root.dir = 'rtl';
  }
  // What the screen at this address needs beside the entry is asked for together with it. The build
  // fills in [beginning of the path, files, files of each language, paths of the API].
  var screens = [];
  var screen = screens.find(function (one) {
    return location.pathname.indexOf(one[0]) === 0 || (one[0] === '/modcp/cases' && location.pathname === '/modcp');
  });
  (screen ? screen[1].concat(screen[2][locale]) : []).forEach(function (file) {
    var link = document.createElement('link');
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (file.endsWith('.css')) link.as = 'style';
    link.crossOrigin = '';
    link.href = '/' + file;
    document.head.append(link);
  });
  // And so is what every screen reads first: see request in src/api/http.ts.
  var asked = {};
  var ask = function (path) {
    asked[path] = fetch(path, { credentials: 'same-origin', cache: 'no-store', headers: { Accept: 'application/json' } });
    asked[path].catch(function () {});
  };
  ask('/api/@platform/core/messages?locale=' + locale);
  if (/^\/($|(modcp|admin|account|sign-in)(\/|$))/.test(location.pathname)) ask('/api/@platform/core/users/session');
  // Guests are refused what moderators read, so it is asked for where this browser has moderated before: see moderatedBefore.
  if (screen && location.search === '' && read('docket.moderates') === 'yes') screen[3].forEach(ask);
  window.takeEarlyAnswer = function (path) {
    var answer = asked[path];
    delete asked[path];
    return answer;
  };
  // Keys that are pressed before the panel runs wait for it: see ShortcutProvider.
  var early = [];
  var keep = function (event) {
    if (early.length < 50 && !event.target.closest('input, select, textarea')) early.push(event);
  };
  if (location.pathname.indexOf('/modcp') === 0) addEventListener('keydown', keep);
  window.takeEarlyKeys = function () {
    removeEventListener('keydown', keep);
    return early.splice(0);
  };
})();
