import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Checklist } from '../../../features/proof/Checklist.tsx'
import type { ProofLine } from '../../../features/proof/line.ts'
import type { CompleteProof } from '../../../proof/completeProof.ts'
import { Icon, Skeleton } from '../../../ui/index.ts'
import styles from './Checks.module.css'

/** The checks as one line, which opens them. If one has failed they are open, and the failed ones come first. */
export function Checks({ lines, proof }: { lines: readonly ProofLine[]; proof: CompleteProof }) {
  const { t } = useTranslation()
  const id = useId()
  const [open, setOpen] = useState(false)
  const isWrong = ({ mark }: ProofLine): boolean => mark === 'wrong'
  if (lines.some(isWrong)) {
    const others = lines.filter((line) => !isWrong(line))
    return <Checklist lines={[...lines.filter(isWrong), ...others]} proof={proof} />
  }
  const passed = lines.filter(({ mark }) => mark === 'ok').length
  const rest = lines.length - passed
  return (
    <>
      <div className={styles.place}>
        <button
          type="button"
          className={styles.line}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Icon name="check-circle-fill" size={20} />
          <span className={styles.text}>
            {rest === 0
              ? t('proof.allPassed', { count: passed })
              : t('proof.somePassed', { count: passed, rest: String(rest) })}
          </span>
          <Icon name={open ? 'caret-up' : 'caret-down'} size={16} className={styles.caret} />
        </button>
      </div>
      <div id={id}>{open && <Checklist lines={lines} proof={proof} />}</div>
    </>
  )
}

/** The line while the ticks are being fetched or hashed; the heading says which. */
export const ChecksSkeleton = () => (
  <div className={styles.place}>
    <div className={styles.line}>
      <Skeleton line={15} width="50%" />
    </div>
  </div>
)
