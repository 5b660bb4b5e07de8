"use strict";
(() => {
  const { map } = JSON.parse(document.getElementById("data").textContent);

  function told(place) {
    const cluster = map.clusters[place];
    const confidence = map.confidence[place];
    const how = confidence === null ? "confidence not known" : `confidence ${confidence.toFixed(2)}`;
    if (Object.keys(map.names).length < 2) return map.ids[place];
    return `${map.ids[place]}: cluster ${map.names[cluster] ?? cluster}, ${how}`;
  }

  function bring(drawing, places) {
    const spot = drawing.querySelector(".spot");
    const value = document.getElementById(`${drawing.id}-value`);
    const asked = value.textContent;
    let now = null;

    function show(place) {
      now = place;
      spot.classList.toggle("shown", place !== null);
      value.textContent = place === null ? asked : told(place);
      if (place === null) return;
      spot.setAttribute("cx", places[place][0] / 10);
      spot.setAttribute("cy", places[place][1] / 10);
    }

    // The nearest object, in the units of the drawing; beyond `most` there is none.
    function nearest(x, y, most) {
      let best = null;
      let least = most * most;
      places.forEach(([a, b], place) => {
        const far = (a / 10 - x) ** 2 + (b / 10 - y) ** 2;
        if (far <= least) [best, least] = [place, far];
      });
      return best;
    }

    function point(event) {
      const box = drawing.getBoundingClientRect();
      const units = drawing.viewBox.baseVal.width / box.width;
      const most = event.pointerType === "touch" ? 30 : 14;
      show(nearest((event.clientX - box.left) * units, (event.clientY - box.top) * units, most));
    }

    // The nearest object on the side of the arrow; what lies aside counts as twice as far.
    function step(event) {
      const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
      const way = ways[event.key];
      if (!way) return;
      event.preventDefault();
      const box = drawing.viewBox.baseVal;
      if (now === null) return show(nearest(box.width / 2, box.height / 2, box.width));
      const [x, y] = places[now];
      let [best, least] = [null, Infinity];
      places.forEach(([a, b], place) => {
        const ahead = (a - x) * way[0] + (b - y) * way[1];
        const aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
        const far = ahead + 2 * aside;
        if (ahead > 0 && far < least) [best, least] = [place, far];
      });
      if (best !== null) show(best);
    }

    drawing.addEventListener("pointermove", point);
    drawing.addEventListener("pointerdown", point);
    drawing.addEventListener("keydown", step);
    drawing.addEventListener("blur", () => show(null));
  }

  for (const one of map.maps) bring(document.getElementById(`map-${one.kind}`), one.places);
})();
