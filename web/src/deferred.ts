// A value that follows another one when nothing else is to be done: typing stays quick while a long list is filtered.
import { useEffect, useState } from "preact/hooks";

export function useDeferred<T>(value: T, wait = 80): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return late;
}
