import type { Component, FunctionComponent, VNode } from 'preact';

/**
 * A component that is drawn anew only when its properties are other than before. (To keep its elements instead would keep
 * the whole page that they were first drawn in.)
 */
export function onlyWhenOther<Properties extends object>(
  isSame: (before: Properties, now: Properties) => boolean,
  draw: (properties: Properties) => VNode,
): FunctionComponent<Properties> {
  return function Kept(this: Component<Properties>, properties) {
    this.shouldComponentUpdate = (now) => !isSame(this.props, now);
    return draw(properties);
  };
}
