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
  if (locale !== 'ar') locale = 'en';
  else {
    root.lang = 'ar';
    root.dir = 'rtl';
  }
  // What the screen at this address needs beside the entry is asked for together with it. The build
  // fills in [beginning of the path, files, files of each language].
  var screens = [["/sign-in",["assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":[],"ar":["assets/first-C7W22Pz3.js"]}],["/modcp/reports/",["assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/forms-By7m5BWk.css","assets/forms-r8VZPubk.js","assets/report-DwDePDDN.css","assets/report-KqQsdpbz.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/moderation-nSURghim.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp/reports",["assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/moderation-nSURghim.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp/cases/",["assets/CasePage-YdDL6NZV.js","assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/forms-By7m5BWk.css","assets/forms-r8VZPubk.js","assets/report-DwDePDDN.css","assets/report-KqQsdpbz.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/moderation-nSURghim.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp/cases",["assets/Cases-Cf5xTx2t.css","assets/Cases-Cgtta8kG.js","assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/moderation-nSURghim.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp",["assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/moderation-nSURghim.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/account",["assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/moderation-nSURghim.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/admin",["assets/AdminLayout-BOwHpkVA.css","assets/AdminLayout-Dm2efX7A.js","assets/FirstSteps-DbeoGAhA.css","assets/FirstSteps-galcl5s7.js","assets/board-CUBExDsH.css","assets/board-fIy0hIn3.js","assets/shared-B5hq12lg.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-BeNmPjHA.js"],{"en":["assets/administration-Be8Mq9QR.js","assets/moderation-nSURghim.js"],"ar":["assets/administration-BrCViIem.js","assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}]];
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
