import { h, number } from './dom.js';

/** In the order in which they are shown: what needs a look first. */
export const STATES = {
  FAILED: ['#d64533', '#f0695a'], RECONNECTING: ['#d9822b', '#e79a4c'], HEALTH_CHECK: ['#d6a21e', '#e6bd50'],
  LAUNCHING: ['#5b8def', '#6f9df2'], CLAIMED: ['#7aa5f5', '#5684d6'], CONNECTING: ['#3f74d8', '#8db4fa'],
  ACTIVE: ['#17907f', '#35b8a5'], DRAINING: ['#7c6bb0', '#9a8ad0'], SUSPENDED: ['#a48ad6', '#8468bd'], TERMINATED: ['#c9d0d7', '#3a444f'],
};

const isDark = () => document.documentElement.dataset.theme === 'dark';
export const colorOf = (state) => (STATES[state] ?? STATES.TERMINATED)[isDark() ? 1 : 0];

/** One cell a worker, grouped by state. Ten thousand cells are one drawing of a few milliseconds. */
export class FleetMap {
  constructor(onOpen) {
    this.element = h('div', { className: 'map' });
    this.tip = h('div', { className: 'tip', hidden: true });
    this.onOpen = onOpen;
    this.bands = new Map();
    this.filter = '';
    this.element.append(this.tip);
  }

  show(workers, filter) {
    this.filter = filter;
    const groups = Map.groupBy(workers, (worker) => worker.state);
    this.size = workers.length > 5000 ? 8 : workers.length > 1200 ? 10 : workers.length > 200 ? 13 : 18;
    for (const state of Object.keys(STATES)) {
      const members = groups.get(state);
      let band = this.bands.get(state);
      if (!members) {
        band?.section.remove();
        this.bands.delete(state);
        continue;
      }
      if (!band) this.bands.set(state, band = this.newBand(state));
      band.members = members.sort((one, other) => (one.userId < other.userId ? -1 : 1));
      band.count.textContent = number(members.length);
      band.canvas.setAttribute('aria-label', `${members.length} workers ${state}`);
    }
    this.element.append(...Object.keys(STATES).filter((state) => this.bands.has(state)).map((state) => this.bands.get(state).section));
    this.draw();
  }

  newBand(state) {
    const count = h('b', {});
    const canvas = h('canvas', { role: 'img', onmousemove: (event) => this.hover(state, event), onmouseleave: () => { this.tip.hidden = true; },
      onclick: (event) => { const worker = this.at(state, event); if (worker) this.onOpen(worker.userId); } });
    const swatch = h('span', { className: 'swatch' });
    return { section: h('section', { className: 'band' }, h('h3', {}, swatch, count, state.replaceAll('_', ' ')), canvas), canvas, count, swatch, members: [] };
  }

  draw() {
    for (const [state, band] of this.bands) {
      const width = this.element.clientWidth - 32;
      if (width <= 0) return;
      const columns = Math.max(1, Math.floor(width / this.size));
      const height = Math.ceil(band.members.length / columns) * this.size;
      const scale = window.devicePixelRatio || 1;
      band.columns = columns;
      band.canvas.width = width * scale;
      band.canvas.height = height * scale;
      band.canvas.style.height = `${height}px`;
      band.swatch.style.background = colorOf(state);
      const pen = band.canvas.getContext('2d');
      pen.scale(scale, scale);
      const edge = this.size - (this.size > 9 ? 3 : 2);
      const faded = Boolean(this.filter);
      const alarm = isDark() ? '#ff8a7d' : '#b42318';
      band.members.forEach((worker, index) => {
        const x = (index % columns) * this.size;
        const y = Math.floor(index / columns) * this.size;
        pen.globalAlpha = faded && !worker.userId.includes(this.filter) ? 0.13 : 1;
        pen.fillStyle = worker.attention ? alarm : colorOf(state);
        pen.beginPath();
        pen.roundRect(x, y, edge, edge, this.size > 9 ? 3 : 1.5);
        pen.fill();
      });
    }
  }

  at(state, event) {
    const band = this.bands.get(state);
    const column = Math.floor(event.offsetX / this.size);
    return column < band.columns ? band.members[Math.floor(event.offsetY / this.size) * band.columns + column] : null;
  }

  hover(state, event) {
    const worker = this.at(state, event);
    this.tip.hidden = !worker;
    if (!worker) return;
    this.tip.textContent = worker.attention ? `${worker.userId} · dies too often` : worker.userId;
    this.tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - 190)}px`;
    this.tip.style.top = `${event.clientY + 14}px`;
  }
}
