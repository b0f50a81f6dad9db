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
  var screens = [["/sign-in",["assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":[],"ar":["assets/first-C7W22Pz3.js"]}],["/modcp/reports/",["assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/forms-By7m5BWk.css","assets/forms-sy_gSUAn.js","assets/report-DwDePDDN.css","assets/report-yXQSh4wn.js","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/moderation-56GKTjpg.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp/reports",["assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/moderation-56GKTjpg.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp/cases/",["assets/CasePage-CiEDKmkA.js","assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/forms-By7m5BWk.css","assets/forms-sy_gSUAn.js","assets/report-DwDePDDN.css","assets/report-yXQSh4wn.js","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/moderation-56GKTjpg.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp/cases",["assets/Cases-CV6vaah7.js","assets/Cases-Cf5xTx2t.css","assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/moderation-56GKTjpg.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/modcp",["assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/moderation-56GKTjpg.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/account",["assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/moderation-56GKTjpg.js"],"ar":["assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}],["/admin",["assets/AdminLayout-BOwHpkVA.css","assets/AdminLayout-p1pM34tG.js","assets/FirstSteps-DbeoGAhA.css","assets/FirstSteps-K14xE-TQ.js","assets/board-CWBAwPum.js","assets/board-HgHU_KO2.css","assets/shared-DqZmXVIK.js","assets/shared-OO5RQFGh.css","assets/sign-in-BMR_Ehgk.css","assets/sign-in-D2jSB5Db.js"],{"en":["assets/administration-Be8Mq9QR.js","assets/moderation-56GKTjpg.js"],"ar":["assets/administration-BrCViIem.js","assets/first-C7W22Pz3.js","assets/moderation-Ys3uj1MH.js"]}]];
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
