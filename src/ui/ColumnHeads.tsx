import type { ReactNode } from 'react'
import styles from './ColumnHeads.module.css'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'

export type SortDirection = 'ascending' | 'descending'

export type ColumnHeadsProps = {
  /** The accessible name. */
  label: string
  /** Of the row of heads. */
  className?: string | undefined
  children: ReactNode
}

/** The heads above a list whose rows have columns: to screen readers a table of one row, which says how the list is sorted. */
export function ColumnHeads({ label, className, children }: ColumnHeadsProps) {
  return (
    <div role="table" aria-label={label} className={styles.table}>
      <div role="row" className={className}>
        {children}
      </div>
    </div>
  )
}

/** Of a column by which the list can be sorted. */
export type HeadSort = {
  /** How the list is sorted by this column; undefined if it is not. */
  sorted: SortDirection | undefined
  /** Sorts by this column, or the other way round. */
  onSort: () => void
}

/** Without `onSort` the list cannot be sorted by the column. */
export type ColumnHeadProps = Partial<HeadSort> & {
  children: ReactNode
  className?: string | undefined
}

/** The head of one column; of a column that can be sorted, a button with an arrow. */
export function ColumnHead({ children, className, sorted, onSort }: ColumnHeadProps) {
  return (
    <span role="columnheader" aria-sort={onSort && (sorted ?? 'none')} className={className}>
      {onSort === undefined ? (
        children
      ) : (
        <button type="button" className={cx(styles.sort, sorted && styles.sorted)} onClick={onSort}>
          {children}
          <Icon
            name={sorted === 'ascending' ? 'caret-up' : 'caret-down'}
            size={12}
            className={styles.arrow}
          />
        </button>
      )}
    </span>
  )
}
