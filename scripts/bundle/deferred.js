// Schemas that are made when they are first looked into. Building a schema takes tens of microseconds and zod itself a
// third of what a short command may take; most commands use few of the schemas that their modules define. What stands
// in for a schema is a proxy that is the schema in every other way. The commands are bundled with it; the library
// imports zod as it is.

/** Methods of a schema that give another schema and do nothing besides. */
const STEPS = new Set(
  (
    'optional nullable readonly default describe array or and pipe catch unwrap ' +
    'min max length nonempty regex nonnegative positive int gt lt trim ' +
    'extend pick omit partial strict loose refine superRefine transform'
  ).split(' '),
);

/** What each proxy stands for. @type {WeakMap<object, () => any>} */
const VALUES = new WeakMap();

/**
 * Stands in for a value until something is asked of it.
 * @param {() => any} make
 * @returns {any}
 */
export function deferred(make) {
  /** @type {{ value: any } | undefined} */
  let made;
  const value = () => (made ??= { value: make() }).value;
  const proxy = new Proxy(() => undefined, {
    get(_target, name) {
      if (made !== undefined || typeof name !== 'string') return Reflect.get(value(), name);
      const step = (/** @type {any[]} */ ...given) => deferred(() => value()[name](...given.map(valueOf)));
      if (STEPS.has(name)) return step;
      // With one argument it names a schema, with none it tells what was named.
      if (name === 'meta')
        return (/** @type {any[]} */ ...given) => (given.length === 0 ? value().meta() : step(...given));
      return Reflect.get(value(), name);
    },
    has: (_target, name) => Reflect.has(value(), name),
    getPrototypeOf: () => Reflect.getPrototypeOf(value()),
    ownKeys: () => Reflect.ownKeys(value()),
    getOwnPropertyDescriptor(_target, name) {
      const property = Reflect.getOwnPropertyDescriptor(value(), name);
      // A proxy may not tell of one that is fixed unless its own target has it.
      return property === undefined ? undefined : { ...property, configurable: true };
    },
    apply: (_target, self, given) => Reflect.apply(value(), self, given),
  });
  VALUES.set(proxy, value);
  return proxy;
}

/**
 * A function that makes a schema, deferred.
 * @param {() => (...given: any[]) => any} find
 */
export function deferredMaker(find) {
  return (/** @type {any[]} */ ...given) => deferred(() => find()(...given.map(valueOf)));
}

/** What was given to make a schema of, with the schemas in it made, so that reading passes no proxy. */
function valueOf(/** @type {any} */ given) {
  if (typeof given === 'function') return VALUES.get(given)?.() ?? given;
  if (Array.isArray(given)) return given.map(valueOf);
  if (typeof given !== 'object' || given === null || Object.getPrototypeOf(given) !== Object.prototype)
    return given;
  return Object.fromEntries(Object.entries(given).map(([name, member]) => [name, valueOf(member)]));
}
