import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { cx, Icon, TextLink } from '../../ui/index.ts'
import styles from './Checklist.module.css'
import type { Order } from '../../../streams/index.ts'
import type { CompleteProof } from '../../proof/completeProof.ts'
import type { ProofLine } from './line.ts'
import { timeWithMs } from './lines.ts'

/** The proof line by line, each with its evidence; expanded, a line shows what it was compared with. */
export function Checklist({ lines, proof }: { lines: readonly ProofLine[]; proof: CompleteProof }) {
  return (
    <ul className={styles.list}>
      {lines.map((line) => (
        <Line key={line.name} line={line} proof={proof} />
      ))}
    </ul>
  )
}

const marks = {
  ok: { icon: 'check-circle-fill', label: 'proof.ok' },
  wrong: { icon: 'warning-circle-fill', label: 'proof.bad' },
  unchecked: { icon: 'minus-circle', label: 'proof.unchecked' },
} as const

function Line({ line, proof }: { line: ProofLine; proof: CompleteProof }) {
  const { t } = useTranslation()
  const id = useId()
  const [open, setOpen] = useState(line.mark === 'wrong')
  return (
    <li className={styles.line}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon
          name={marks[line.mark].icon}
          size={20}
          label={t(marks[line.mark].label)}
          className={cx(styles.mark, styles[line.mark])}
        />
        <span className={styles.text}>
          <span className={styles.title}>{line.title ?? t(`proof.${line.name}`)}</span>
          <span className={cx(styles.evidence, line.mark === 'wrong' && styles.wrong)}>{line.evidence}</span>
        </span>
        <Icon name={open ? 'caret-up' : 'caret-down'} size={16} className={styles.caret} />
      </button>
      {open && (
        <div
          id={id}
          className={styles.more}
          data-mono={line.name === 'chain' || line.name === 'source' || undefined}
        >
          {line.more.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {line.name === 'chain' && <AllTicks proof={proof} />}
        </div>
      )}
    </li>
  )
}

/** Every tick of the proof as it was hashed; more rows would make the page slow. */
const ticksShown = 500

function AllTicks({ proof }: { proof: CompleteProof }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isShown, setShown] = useState(false)
  const { entry, exit } = proof.order
  return (
    <>
      <TextLink onClick={() => setShown(!isShown)}>
        {t(isShown ? 'proof.fewerTicks' : 'proof.everyTick')}
      </TextLink>
      {isShown && (
        <ol className={styles.ticks}>
          {proof.ticks.slice(0, ticksShown).map(([seq, at, price, size]) => (
            <li key={seq} data-fill={seq === entry?.seq || isOfExit(seq, exit) || undefined}>
              #{seq} {timeWithMs(format, at)} {price} {size}
            </li>
          ))}
          {proof.ticks.length > ticksShown && <li>… +{proof.ticks.length - ticksShown}</li>}
        </ol>
      )}
    </>
  )
}

/** Whether a tick is the exit, or one of those that an averaged exit looked at. */
const isOfExit = (seq: number, exit: Order['exit']): boolean =>
  exit !== null && ('value' in exit ? seq >= exit.from && seq <= exit.to : seq === exit.seq)
