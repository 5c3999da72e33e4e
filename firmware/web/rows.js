const EMPTY = { symbol: '', name: '', source: 'yahoo', range: '', pollSec: 0, qty: 0, cost: 0, above: 0, below: 0 };
function addSymbol(row) {
  symbols.push({ ...EMPTY, ...row });
  draw();
}
function moveSymbol(from, to) {
  to = Math.min(Math.max(to, 0), symbols.length - 1);
  symbols.splice(to, 0, ...symbols.splice(from, 1));
  draw();
  return document.querySelectorAll('.grip')[to];
}
// Sorts by finger, pen, mouse or arrow keys.
function grip(symbol, i) {
  const handle = button('↕');
  handle.className = 'grip';
  handle.ariaLabel = `${t('Move')} ${symbol.symbol}`;
  handle.onkeydown = (e) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
    if (!by) return;
    e.preventDefault();
    moveSymbol(i, i + by).focus();
  };
  handle.onpointerdown = (e) => e.button || drag(handle, e);
  return handle;
}
// The others change places with the row: it stays in the document, or it would lose the pointer.
function drag(handle, start) {
  const row = handle.closest('.row'),
    top = (e) => e.getBoundingClientRect().top,
    middle = (e) => top(e) + e.offsetHeight / 2,
    isSymbol = (e) => e?.classList.contains('symbol'),
    rows = () => [...document.querySelectorAll('.symbol')],
    from = rows().indexOf(row),
    before = top(handle);
  // Rows are one line high meanwhile, and the handle stays under the finger as far as the page can scroll.
  row.parentNode.classList.add('sorting');
  row.classList.add('moved');
  scrollBy(0, top(handle) - before);
  const shift = top(handle) - before;
  handle.setPointerCapture(start.pointerId);
  handle.onpointermove = ({ clientY }) => {
    const [above, below, y] = [row.previousElementSibling, row.nextElementSibling, clientY + shift];
    if (isSymbol(above) && y < middle(above)) row.after(above);
    else if (isSymbol(below) && y > middle(below)) row.before(below);
  };
  handle.onpointerup = () => moveSymbol(from, rows().indexOf(row)).scrollIntoView({ block: 'center' });
  handle.onpointercancel = draw;
}
function symbolRows() {
  return symbols.map((s, i) =>
    el(
      'div',
      { className: 'row symbol' },
      cell('Symbol', symbols, i, 'symbol', 'text', { maxLength: 23, spellcheck: false, autocapitalize: 'off' }),
      cell('Source', symbols, i, 'source', 'select', [
        ['yahoo', 'Yahoo chart'],
        ['cash', 'cash.ch portal'],
        ['github', 'GitHub file'],
        ['webhook', 'Webhook'],
      ]),
      cell('Name', symbols, i, 'name', 'text', { maxLength: 19 }),
      cell('Time frame', symbols, i, 'range', 'select', [['', 'as all'], ...RANGES.map((r) => [r, r])]),
      cell('Fetch every (s), 0 = as all', symbols, i, 'pollSec', 'number', { min: 0, max: 3600 }),
      cell('Quantity', symbols, i, 'qty', 'number', { min: 0, step: 'any' }),
      cell('Cost per unit', symbols, i, 'cost', 'number', { min: 0, step: 'any' }),
      cell('Alert from (0 = none)', symbols, i, 'above', 'number', { min: 0, step: 'any' }),
      cell('Alert below (0 = none)', symbols, i, 'below', 'number', { min: 0, step: 'any' }),
      el(
        'div',
        { className: 'wide' },
        grip(s, i),
        button('Test', () =>
          callSlowly('POST', `/api/test?source=${s.source}&symbol=${encodeURIComponent(s.symbol)}`)
            .then((r) =>
              say(
                `${s.symbol}: ` + (r.ok ? `${r.price} ${r.currency} ${r.name}` : ERR[lang][r.error] || r.error),
                !r.ok,
              ),
            )
            .catch(fail),
        ),
        button('Up', () => moveSymbol(i, i - 1)),
        button('Remove', () => {
          symbols.splice(i, 1);
          draw();
        }),
      ),
    ),
  );
}
function finder() {
  const id = 'f' + ids++,
    out = el('div', { role: 'status' }),
    input = el('input', { id, type: 'search', placeholder: t('Link, ISIN, valor or name') });
  const search = async () => {
    let q = input.value;
    const digits = /^https?:/.test(q) && q.match(/\d{5,12}/);
    q = digits ? digits[0] : q.replace(/["\\]/g, '');
    if (!q) return;
    const frag = (k, isin) => `... on ${k}{listingId mName market mCur${isin ? ' mIsin' : ''}}`;
    const groups = ['equity', 'derivative', 'fund', 'bond', 'index', 'diverse', 'cryptoCurrency'];
    const parts = groups.map((g) => {
      const k = g[0].toUpperCase() + g.slice(1);
      return `${g}{items{${frag(k, k !== 'Index' && k !== 'CryptoCurrency')}}}`;
    });
    const range = 'sort:Relevance,sortOrder:Descending,limit:10,offset:0';
    const doc = `query{textSearch(publication:CASH,search:"${q}",${range}){${parts.join(' ')}}}`;
    try {
      const data = (
        await (await fetch('https://www.cash.ch/_/api/graphql/prod?query=' + encodeURIComponent(doc))).json()
      ).data.textSearch;
      const found = groups.flatMap((g) => data[g]?.items || []).slice(0, 10);
      out.replaceChildren(
        ...(found.length
          ? found.map((f) =>
              el(
                'p',
                {},
                button('+', () => {
                  if (symbols.length < 8)
                    addSymbol({ symbol: f.listingId, name: (f.mName || '').slice(0, 19), source: 'cash' });
                }),
                ` ${f.mName} · ${f.market || ''} · ${f.mCur || ''} · ${f.listingId}`,
              ),
            )
          : [t('Nothing found.')]),
      );
    } catch {
      out.textContent = t('cash.ch cannot be reached from this browser.');
    }
  };
  return el('div', {}, el('label', { htmlFor: id }, t('Find at cash.ch')), input, button('Search', search), out);
}
// Each network that was seen once, with its strongest signal first; a tap enters its name and goes to the password.
function showNetworks(list) {
  const names = [...new Set(list.sort((a, b) => b.rssi - a.rssi).map((n) => n.ssid))].filter(Boolean);
  $('seen').replaceChildren(...names.map((value) => el('option', { value })));
  $('near').replaceChildren(...names.map((name) => button(name, () => takeNetwork(name))));
  say(names.length ? t('Tap your network.') : t('No network was seen. Only 2.4 GHz can be used.'), !names.length);
}
function takeNetwork(ssid) {
  let at = wifi.findIndex((w) => w.ssid === ssid);
  if (at < 0) at = wifi.findIndex((w) => !w.ssid);
  if (at < 0 && wifi.length < 4) at = wifi.push({ ssid: '', pass: '' }) - 1;
  if (at < 0) return say(t('Remove a network first.'), true);
  wifi[at].ssid = ssid;
  const near = [...$('near').children];
  draw();
  $('near').replaceChildren(...near);
  document.querySelectorAll('[data-password]')[at].focus();
}
function wifiRows() {
  return wifi.map((w, i) =>
    el(
      'div',
      { className: 'row' },
      cell('Wi-Fi name', wifi, i, 'ssid', 'text', { maxLength: 32, list: 'seen' }),
      cell('Password', wifi, i, 'pass', 'password', {
        maxLength: 64,
        'data-password': '',
        placeholder: w.passSet ? t('unchanged') : '',
        autocomplete: 'off',
      }),
      el(
        'div',
        { className: 'wide' },
        button('Up', () => {
          if (i) {
            [wifi[i - 1], wifi[i]] = [wifi[i], wifi[i - 1]];
            draw();
          }
        }),
        button('Remove', () => {
          wifi.splice(i, 1);
          draw();
        }),
      ),
    ),
  );
}
function pick(accept, then) {
  const input = el('input', { type: 'file', accept, onchange: () => input.files[0] && then(input.files[0]) });
  input.click();
}
