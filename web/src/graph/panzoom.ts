// Where the eye is on the drawing: moved by the pointer, the wheel, two fingers, buttons and keys.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Box } from "./layout";

export interface Eye {
  x: number;
  y: number;
  scale: number;
}

const [SMALLEST, LARGEST] = [0.08, 3];
const READABLE = 0.58; // below, names are too small to read

export function clamped(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

// The eye that sees all, or, where that would be too small to read, the upper left part.
export function fitting(size: { width: number; height: number }, room: { width: number; height: number }, all = false): Eye {
  const whole = Math.min((room.width - 32) / Math.max(size.width, 1), (room.height - 32) / Math.max(size.height, 1), 1.15);
  const scale = clamped(all ? whole : Math.max(whole, READABLE));
  const spare = (length: number, drawn: number): number => Math.max(16, (length - drawn * scale) / 2);
  return { x: spare(room.width, size.width), y: spare(room.height, size.height), scale };
}

export function zoomed(eye: Eye, factor: number, at: { x: number; y: number }): Eye {
  const scale = clamped(eye.scale * factor);
  const by = scale / eye.scale;
  return { x: at.x - (at.x - eye.x) * by, y: at.y - (at.y - eye.y) * by, scale };
}

export function centred(eye: Eye, box: Box, room: { width: number; height: number }): Eye {
  const scale = Math.max(eye.scale, 0.8);
  return {
    x: room.width / 2 - (box.x + box.width / 2) * scale,
    y: room.height / 2 - (box.y + box.height / 2) * scale,
    scale,
  };
}

export function usePanZoom(size: { width: number; height: number }) {
  const surface = useRef<SVGSVGElement>(null);
  const [eye, setEye] = useState<Eye>({ x: 16, y: 16, scale: 1 });
  const room = useCallback(() => {
    const box = surface.current?.getBoundingClientRect();
    return { width: box?.width || 800, height: box?.height || 600 };
  }, []);
  const fit = useCallback((all = false) => setEye(fitting(size, room(), all)), [size.width, size.height]);
  useEffect(() => fit(), [fit]);
  usePointers(surface, setEye);
  const zoom = (factor: number): void => {
    const { width, height } = room();
    setEye((now) => zoomed(now, factor, { x: width / 2, y: height / 2 }));
  };
  const pan = (x: number, y: number): void => setEye((now) => ({ ...now, x: now.x + x, y: now.y + y }));
  const show = (box: Box): void => setEye((now) => centred(now, box, room()));
  return { surface, eye, fit, zoom, pan, show };
}

function usePointers(surface: { current: SVGSVGElement | null }, setEye: (change: (eye: Eye) => Eye) => void): void {
  useEffect(() => {
    const element = surface.current;
    if (element === null) return undefined;
    const down = new Map<number, PointerEvent>();
    const press = (event: PointerEvent): void => {
      if (event.button === 0) down.set(event.pointerId, event);
    };
    const move = (event: PointerEvent): void => {
      const before = down.get(event.pointerId);
      if (before === undefined) return;
      const others = [...down.values()].filter((one) => one.pointerId !== event.pointerId);
      down.set(event.pointerId, event);
      if (Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 0) element.classList.add("moving");
      const other = others[0];
      if (other === undefined)
        setEye((eye) => ({ ...eye, x: eye.x + event.clientX - before.clientX, y: eye.y + event.clientY - before.clientY }));
      else {
        const apart = (one: PointerEvent): number => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        const box = element.getBoundingClientRect();
        const middle = { x: (event.clientX + other.clientX) / 2 - box.x, y: (event.clientY + other.clientY) / 2 - box.y };
        setEye((eye) => zoomed(eye, apart(event) / Math.max(apart(before), 1), middle));
      }
    };
    const release = (event: PointerEvent): void => {
      down.delete(event.pointerId);
      element.classList.remove("moving");
    };
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const at = { x: event.clientX - box.x, y: event.clientY - box.y };
      setEye((eye) => zoomed(eye, Math.exp(-event.deltaY / (event.deltaMode === 1 ? 20 : 500)), at));
    };
    element.addEventListener("pointerdown", press);
    addEventListener("pointermove", move);
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      element.removeEventListener("pointerdown", press);
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
      element.removeEventListener("wheel", wheel);
    };
  }, []);
}
