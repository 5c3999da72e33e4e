// The parts of the page are one script on the device (scripts/firmware-page.ts): they see each other's names.

const RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '2y', '5y', 'max'];
const $ = (id) => document.getElementById(id);
let lang = (localStorage.lang || navigator.language || 'en').startsWith('de') ? 'de' : 'en',
  cfg,
  wifi = [],
  symbols = [];
const t = (text) => (lang === 'de' && DE[text]) || text;
function el(tag, props, ...kids) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props || {}))
    if (k in e && k !== 'list') e[k] = v;
    else e.setAttribute(k, v);
  e.append(...kids);
  return e;
}
async function call(method, path, body, code) {
  const r = await fetch(path, { method, body, headers: { 'X-Hearth': '1', ...(code && { 'X-Hearth-Code': code }) } });
  const type = r.headers.get('content-type') || '';
  const data = type.includes('json') ? await r.json() : await r.text();
  if (!r.ok)
    throw Object.assign(new Error(data.message || (data.key || data.error || r.status) + ': ' + (data.rule || '')), {
      isAnswer: true,
      code: data.error,
    });
  return data;
}
// What takes the device over or back: the screen shows a code, and only who sees it may go on.
async function callHere(method, path, body) {
  try {
    return await call(method, path, body);
  } catch (e) {
    if (e.code !== 'presence needed' && e.code !== 'older') throw e;
    if (e.code === 'older' && !confirm(t('This firmware is older than the present one. Install it?'))) throw e;
    await call('POST', '/api/presence');
    const code = prompt(t('Type the code that the ticker shows now.'));
    if (!code) throw e;
    return call(method, path, body, code.trim());
  }
}
function say(text, bad) {
  $('message').textContent = text;
  $('message').className = bad ? 'bad' : '';
}
// A request that may take seconds.
function callSlowly(method, path) {
  say(t('One moment …'));
  return call(method, path);
}
const fail = (e) => say(e.isAnswer ? e.message : t('The device does not answer.'), true);
function get(path) {
  return path.split('.').reduce((o, k) => o[k], cfg);
}
function set(path, v) {
  const k = path.split('.'),
    last = k.pop();
  k.reduce((o, p) => o[p], cfg)[last] = v;
}
let ids = 0;
function field(text, path, kind, extra) {
  const id = 'f' + ids++,
    o = extra || {};
  let input;
  if (kind === 'check') {
    input = el('input', { type: 'checkbox', id, checked: get(path), onchange: () => set(path, input.checked) });
    return el('label', { className: 'c', htmlFor: id }, input, t(text));
  }
  if (kind === 'select') {
    input = el(
      'select',
      {
        id,
        onchange: () => {
          set(path, input.value);
          o.onSelect?.();
        },
      },
      ...o.options.map(([v, l]) => el('option', { value: v, selected: v === get(path) }, t(l))),
    );
  } else
    input = el('input', {
      id,
      type: kind,
      value: get(path) ?? '',
      ...o.props,
      oninput: () => set(path, kind === 'number' ? Number(input.value) : input.value),
    });
  return el('div', {}, el('label', { htmlFor: id }, t(text)), input);
}
function card(title, open, ...kids) {
  return el('details', { open }, el('summary', {}, t(title)), el('div', {}, ...kids));
}
const num = (text, path, min, max) => field(text, path, 'number', { props: { min, max, step: 1 } });
const button = (text, onclick) => el('button', { type: 'button', onclick }, t(text));
function cell(text, list, i, key, kind, props) {
  const id = 'f' + ids++;
  const input =
    kind === 'select'
      ? el(
          'select',
          { id, onchange: () => (list[i][key] = input.value) },
          ...props.map(([v, l]) => el('option', { value: v, selected: v === list[i][key] }, t(l))),
        )
      : el('input', {
          id,
          type: kind,
          value: list[i][key] ?? '',
          ...props,
          oninput: () => (list[i][key] = kind === 'number' ? Number(input.value) : input.value),
        });
  return el('div', {}, el('label', { htmlFor: id }, t(text)), input);
}
