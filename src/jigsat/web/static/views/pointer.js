// Pointers: a press is followed until it ends; it drags something, passes places, or is a tap.

export const DRAG = 6; // pixels that a pointer moves before it drags

/** Follow a pointer: `move(x, y)` hears of each point, `end(dropped, x, y)` of the last.
 * `dragging()` tells whether the page must stay in place. Returns a promise of the end. */
export function track({ currentTarget: target, pointerId }, { move, end, dragging = () => true }) {
  target.setPointerCapture(pointerId);
  const ended = Promise.withResolvers();
  const stop = ({ type, clientX, clientY }) => {
    ended.resolve();
    for (const [kind, listener] of Object.entries(listeners))
      target.removeEventListener(kind, listener);
    end(type === "pointerup", clientX, clientY);
  };
  const hold = (event) => dragging() && event.preventDefault();
  const listeners = {
    pointermove: ({ clientX, clientY }) => move(clientX, clientY),
    touchmove: hold,
    pointerup: stop,
    pointercancel: stop,
  };
  for (const [kind, listener] of Object.entries(listeners))
    target.addEventListener(kind, listener, { passive: false });
  return ended.promise;
}

/** Follow a pointer: `pass(x, y)` hears of points so `close` to one another that no place is missed,
 * in pixels. */
export function sweep(event, close, { pass, end }) {
  let last = [event.clientX, event.clientY];
  let dragging = false;
  const move = (x, y) => {
    const far = Math.hypot(x - last[0], y - last[1]);
    if (!dragging && far < DRAG) return;
    dragging = true;
    const steps = Math.max(1, Math.ceil(far / close));
    const [fromX, fromY] = last;
    for (let i = 1; i <= steps; i++)
      pass(fromX + ((x - fromX) * i) / steps, fromY + ((y - fromY) * i) / steps);
    last = [x, y];
  };
  return track(event, { move, end: (dropped) => end(dropped, dragging) });
}
