import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnHead, ColumnHeads, cx, Icon } from '../../ui/index.ts'
import type { Sorting } from './sorting.ts'
import styles from './RecordRow.module.css'

export type RecordRowProps = {
  title: ReactNode
  caption: ReactNode
  /** The record's number: after the caption, in a wide list in a column of its own. */
  no?: string | null
  /** Signed and formatted. */
  amount: string
  /** Below the amount: a status or the balance after it. */
  below?: ReactNode
  href?: string | undefined
  /** Reserves the space of the caret if there is no link, so that all amounts of a list are aligned. */
  reserveCaret?: boolean
}

/** A record: title and amount on one line, caption and status on the next; in a wide list all in one line. */
export function RecordRow(props: RecordRowProps) {
  const { title, caption, no, amount, below, href, reserveCaret = true } = props
  const content = (
    <>
      <span className={styles.lines}>
        <span className={styles.line}>
          <span className={styles.title}>{title}</span>
          <span className={styles.amount}>{amount}</span>
        </span>
        <span className={styles.line}>
          <span className={styles.captions}>
            <span className={styles.caption}>{caption}</span>
            {typeof no === 'string' && (
              <>
                <span className={styles.dot}> · </span>
                <span className={styles.no}>{no}</span>
              </>
            )}
          </span>
          {below !== undefined && <span className={styles.below}>{below}</span>}
        </span>
      </span>
      {href !== undefined && <Icon name="caret-right" size={16} className={styles.caret} />}
    </>
  )
  if (href === undefined) return <div className={cx(styles.row, reserveCaret && styles.still)}>{content}</div>
  return (
    <a className={cx(styles.row, styles.link)} href={href}>
      {content}
    </a>
  )
}

/** The parts of a row that are columns in a wide list. */
export type RecordColumn = 'title' | 'no' | 'time' | 'below' | 'amount'
export type RecordHeadsProps = Pick<Sorting, 'head'> & {
  /** Those that the rows have. */
  labels: Readonly<Partial<Record<RecordColumn, string>>>
  /** Those by which the list can be sorted. */
  sortable: (column: RecordColumn) => boolean
}

/** The heads of the columns that rows have in a wide list. */
export function RecordHeads({ labels, sortable, head }: RecordHeadsProps) {
  const { t } = useTranslation()
  return (
    <div className={cx(styles.row, styles.still)}>
      <ColumnHeads label={t('lists.columns')} className={styles.heads}>
        {recordColumns.map(
          (column) =>
            labels[column] !== undefined && (
              <ColumnHead
                key={column}
                className={column === 'time' ? styles.caption : styles[column]}
                {...(sortable(column) ? head(column) : {})}
              >
                {labels[column]}
              </ColumnHead>
            ),
        )}
      </ColumnHeads>
    </div>
  )
}

const recordColumns = ['title', 'no', 'time', 'below', 'amount'] as const satisfies readonly RecordColumn[]
