const FULL = process.env.FRCTL_FAULTS === 'full';

/** How large an attack is: in full by `npm run test:faults`, in small within `npm test`. */
export function scale<T>(full: T, small: T): T {
  return FULL ? full : small;
}
