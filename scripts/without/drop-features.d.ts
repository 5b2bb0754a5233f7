export function dropFeatures(root: string, names: readonly string[]): readonly string[];
