import { useState } from 'preact/hooks';

import { useDocument } from '../hooks.js';
import { memberOf } from '../parts/member-of.js';
import { Empty, Part, Problem } from '../parts/parts.js';
import { countInWords } from '../words.js';
import type { SourceLines } from '../wire.js';

interface SourceViewProps {
  readonly source: unknown;
  /** The address of the goal at the server. */
  readonly path: string;
}

/** Where in a document a goal comes from; its lines are shown when somebody asks for them. */
export function SourceView({ source, path }: SourceViewProps) {
  const [isOpen, setOpen] = useState(false);
  const [file, start, end] = [
    memberOf(source, 'file'),
    memberOf(source, 'start_line'),
    memberOf(source, 'end_line'),
  ];
  if (file === null || start === null || end === null) return null;
  return (
    <Part title="Source">
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'} </span>
        <code>
          {file}:{start === end ? start : `${start}–${end}`}
        </code>
      </button>
      {isOpen ? <Lines path={path} start={Number(start)} end={Number(end)} /> : null}
    </Part>
  );
}

interface LinesProps {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

function Lines({ path, start, end }: LinesProps) {
  const { document, error } = useDocument<SourceLines>(`${path}/source`, []);
  if (error !== null) return <Problem message={error.message} hint={error.hint} />;
  if (document === null) return <Empty>Reading the document …</Empty>;
  const { first, lines, cut } = document;
  return (
    <>
      <ol class="source" start={first}>
        {lines.map((line, index) => (
          <li key={index} class={first + index >= start && first + index <= end ? 'meant' : ''} dir="auto">
            {line}
          </li>
        ))}
      </ol>
      {cut === 0 ? null : <p class="hint">{countInWords(cut, 'more line')} of it in the document</p>}
    </>
  );
}
