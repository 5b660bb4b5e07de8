"use strict";
(() => {
  const root = document.documentElement;
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  const { picture, sentences, n_colours: colours } = data;
  const size = picture.n_shown;
  const values = Uint8Array.from(atob(picture.values), (letter) => letter.charCodeAt(0));
  const canvas = find("heat");
  const slider = find("k");
  let now = slider ? Number(slider.value) : 0;
  let spot = null;

  const clusters = (k) => (k === 1 ? "1 cluster" : `${k} clusters`);
  const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

  // 256 colours from the three of the style sheet, so that dark and print have their own.
  function ramp() {
    const stops = ["--low", "--middle", "--high"].map((name) => channels(colour(name)));
    return Array.from({ length: 256 }, (_, level) => {
      const at = (level / 255) * 2;
      const from = Math.min(1, Math.floor(at));
      return stops[from].map((c, i) => Math.round(c + (stops[from + 1][i] - c) * (at - from)));
    });
  }

  function matrixImage(order) {
    const image = document.createElement("canvas");
    image.width = image.height = size;
    const context = image.getContext("2d");
    const pixels = context.createImageData(size, size);
    const levels = ramp();
    for (let row = 0, at = 0; row < size; row++) {
      for (let column = 0; column < size; column++, at += 4) {
        const [red, green, blue] = levels[values[order[row] * size + order[column]]];
        pixels.data[at] = red;
        pixels.data[at + 1] = green;
        pixels.data[at + 2] = blue;
        pixels.data[at + 3] = 255;
      }
    }
    context.putImageData(pixels, 0, 0);
    return image;
  }

  const bar = 8;
  const letter = () => `12px ${getComputedStyle(document.body).fontFamily}`;
  const nameOf = (cut, cluster) => short(cut.names[cluster] ?? String(cluster), 14);

  function frame() {
    const width = canvas.clientWidth || 520;
    const context = canvas.getContext("2d");
    context.font = letter();
    const cut = picture.cuts[now];
    const longest = cut.clusters.map((c) => context.measureText(nameOf(cut, c)).width);
    const left = Math.ceil(Math.max(14, ...longest)) + bar + 12;
    return { width, left, top: bar + 20, side: width - left - 2 };
  }

  function drawHeat() {
    const cut = picture.cuts[now];
    const { width, left, top, side } = frame();
    const height = top + side + 2;
    const dense = Math.max(1, window.devicePixelRatio || 1);
    canvas.width = Math.round(width * dense);
    canvas.height = Math.round(height * dense);
    const context = canvas.getContext("2d");
    context.scale(dense, dense);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = size > side * dense;
    context.drawImage(matrixImage(cut.order), left, top, side, side);
    context.font = letter();
    const many = cut.clusters.length > 20;
    let start = 0;
    let written = -99;
    cut.clusters.forEach((cluster, place) => {
      const from = (start / size) * side;
      const long = (cut.sizes[place] / size) * side;
      const middle = from + long / 2;
      context.fillStyle = colour(`--c${cluster % colours}`);
      context.fillRect(left - bar - 2, top + from, bar, Math.max(1, long - 1));
      context.fillRect(left + from, top - bar - 2, Math.max(1, long - 1), bar);
      context.fillStyle = colour("--ink");
      const name = nameOf(cut, cluster);
      if (middle - written >= 14) {
        context.textBaseline = "middle";
        context.textAlign = "right";
        context.fillText(name, left - bar - 6, top + middle);
        written = middle;
      }
      if (!many && context.measureText(name).width + 4 < long) {
        context.textAlign = "center";
        context.textBaseline = "alphabetic";
        context.fillText(name, left + middle, top - bar - 6);
      }
      start += cut.sizes[place];
      if (place + 1 < cut.clusters.length) {
        const line = Math.round((start / size) * side) + 0.5;
        context.strokeStyle = colour("--cut");
        context.globalAlpha = many ? 0.3 : 1;
        context.beginPath();
        context.moveTo(left, top + line);
        context.lineTo(left + side, top + line);
        context.moveTo(left + line, top);
        context.lineTo(left + line, top + side);
        context.stroke();
        context.globalAlpha = 1;
      }
    });
    context.strokeStyle = colour("--rule");
    context.strokeRect(left + 0.5, top + 0.5, side - 1, side - 1);
    if (spot) {
      context.strokeStyle = colour("--ink");
      const step = side / size;
      const box = Math.max(7, step);
      const [x, y] = [spot.column, spot.row].map((place) => (place + 0.5) * step - box / 2);
      context.strokeRect(left + x, top + y, box, box);
    }
    canvas.setAttribute(
      "aria-label",
      `Consensus heatmap of ${size} objects in ${clusters(cut.n_clusters)}`,
    );
  }

  function clusterAt(cut, place) {
    let start = 0;
    for (let i = 0; i < cut.sizes.length; i++) {
      start += cut.sizes[i];
      if (place < start) return cut.names[cut.clusters[i]] ?? String(cut.clusters[i]);
    }
    return "";
  }

  function readSpot() {
    const cut = picture.cuts[now];
    const [row, column] = [spot.row, spot.column].map((place) => cut.order[place]);
    const value = (values[row * size + column] / 255) * picture.top;
    const more = picture.top < 1 && values[row * size + column] === 255 ? " or more" : "";
    const text =
      row === column
        ? `${picture.ids[row]} (cluster ${clusterAt(cut, spot.row)})`
        : `${picture.ids[row]} (cluster ${clusterAt(cut, spot.row)}) and ${picture.ids[column]} ` +
          `(cluster ${clusterAt(cut, spot.column)}): together in ${Math.round(100 * value)} %${more}`;
    find("heat-value").textContent = text;
  }

  function pointAt(event) {
    const { left, top, side } = frame();
    const column = Math.floor(((event.offsetX - left) / side) * size);
    const row = Math.floor(((event.offsetY - top) / side) * size);
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    spot = { row, column };
    readSpot();
  }

  function moveSpot(event) {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 20 : 1;
    const within = (place) => Math.min(size - 1, Math.max(0, place));
    spot = spot ?? { row: 0, column: 0 };
    spot = { row: within(spot.row + far * step[0]), column: within(spot.column + far * step[1]) };
    readSpot();
    drawHeat();
  }

  function cell(kind, text, scope) {
    const made = document.createElement(kind);
    made.textContent = text;
    if (scope) made.scope = scope;
    return made;
  }

  function fillBlocks() {
    const cut = picture.cuts[now];
    const name = (cluster) => cut.names[cluster] ?? String(cluster);
    const table = find("blocks");
    table.classList.toggle("dense", cut.table.length > 12);
    table.classList.toggle("tall", cut.table.some((cluster) => name(cluster).length > 3));
    const head = document.createElement("tr");
    head.append(cell("td", ""), ...cut.table.map((cluster) => cell("th", name(cluster), "col")));
    table.tHead.replaceChildren(head);
    const rows = cut.means.map((means, place) => {
      const row = document.createElement("tr");
      const text = (mean) => mean.toFixed(2).replace(means.length > 12 ? /^0/ : /^$/, "");
      const numbers = means.map((mean) => cell("td", mean === null ? "–" : text(mean)));
      row.append(cell("th", name(cut.table[place]), "row"), ...numbers);
      return row;
    });
    table.tBodies[0].replaceChildren(...rows);
  }

  function chooseK() {
    now = Number(slider.value);
    spot = null;
    const cut = picture.cuts[now];
    const answer = cut.final ? " (the answer)" : "";
    slider.setAttribute("aria-valuetext", clusters(cut.n_clusters) + answer);
    find("k-shown").textContent = cut.n_clusters + answer;
    find("k-sentence").textContent =
      sentences[cut.n_clusters] ?? `${clusters(cut.n_clusters)}: all objects together.`;
    find("blocks-note").textContent = cut.final ? finalNote : otherNote;
    for (const shape of document.querySelectorAll("[data-k]")) {
      shape.classList.toggle("now", Number(shape.dataset.k) === cut.n_clusters);
    }
    const curve = document.querySelector(".curve.now");
    if (curve) curve.parentNode.append(curve);
    drawHeat();
    fillBlocks();
  }

  const finalNote = find("blocks-note").textContent;
  const otherNote =
    `Over all pairs of the ${picture.n_pool.toLocaleString("en")} objects on which the number of ` +
    "clusters was chosen; numbers of clusters are not those of the answer.";

  // Colours: those of the system until the button is used; nothing is stored.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const button = find("theme");
  function recolour() {
    button.textContent = isDark() ? "Light colours" : "Dark colours";
    drawHeat();
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    recolour();
  });
  system.addEventListener("change", recolour);

  // On paper: light colours, and everything that was folded.
  let before = null;
  addEventListener("beforeprint", () => {
    const folded = [...document.querySelectorAll("details:not([open])")];
    before = { theme: root.dataset.theme, folded };
    root.dataset.theme = "light";
    folded.forEach((part) => (part.open = true));
    drawHeat();
  });
  addEventListener("afterprint", () => {
    if (!before) return;
    if (before.theme) root.dataset.theme = before.theme;
    else delete root.dataset.theme;
    before.folded.forEach((part) => (part.open = false));
    before = null;
    drawHeat();
  });

  const copy = find("copy");
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const code = find("command");
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Selected";
    }
  });

  canvas.addEventListener("pointermove", pointAt);
  canvas.addEventListener("keydown", moveSpot);
  canvas.addEventListener("blur", () => {
    spot = null;
    drawHeat();
  });
  addEventListener("resize", drawHeat);
  if (slider) {
    find("slider").hidden = false;
    slider.addEventListener("input", chooseK);
  }
  recolour();
})();
