// Sections that hold all words asked for: those with a word in their heading first, then by how often.
const field = document.querySelector('input[name=q]'), list = document.getElementById('found'), count = document.getElementById('count');
const low = entries.map(([page, heading, , text]) => [(page + ' ' + heading).toLowerCase(), text.toLowerCase()]);

function rank(i, words) {
  const [head, text] = low[i];
  let sum = 0;
  for (const w of words) {
    const times = text.split(w).length - 1;
    if (!head.includes(w) && times === 0) return 0;
    sum += (head.includes(w) ? 50 : 0) + Math.min(times, 10);
  }
  return sum;
}

function marked(text, words) {
  const at = Math.max(0, Math.min(...words.map(w => text.toLowerCase().indexOf(w)).filter(n => n >= 0), text.length) - 60);
  const piece = (at ? '...' : '') + text.slice(at, at + 240) + (at + 240 < text.length ? '...' : ''), p = document.createElement('p');
  const pattern = new RegExp('(' + words.map(w => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') + ')', 'gi');
  piece.split(pattern).forEach((part, i) => {
    const e = i % 2 ? document.createElement('mark') : null;
    if (e) e.textContent = part;
    p.append(e || part);
  });
  return p;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(w => w);
  const found = words.length ? entries.map((e, i) => [rank(i, words), i]).filter(r => r[0] > 0).sort((a, b) => b[0] - a[0] || a[1] - b[1]) : [];
  count.textContent = words.length ? found.length + (found.length === 1 ? ' section' : ' sections') : 'Type words above: pages that hold all of them.';
  list.replaceChildren(...found.slice(0, 40).map(([, i]) => {
    const [page, heading, url, text] = entries[i], item = document.createElement('li'), link = document.createElement('a');
    link.href = url;
    link.textContent = heading ? page + ': ' + heading : page;
    item.append(link, marked(text, words));
    return item;
  }));
}

field.value = new URLSearchParams(location.search).get('q') || '';
field.addEventListener('input', show);
field.form.addEventListener('submit', e => { e.preventDefault(); show(); });
show();
