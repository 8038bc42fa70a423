import {
  memo,
  useEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { cx } from '../../src/ui/cx.ts'
import { Button } from '../../src/ui/Button.tsx'
import { keepPlace, placeNow } from '../state/place.ts'
import { useDrawnRows } from './useDrawnRows.ts'
import styles from './DataTable.module.css'

export type Column<T> = {
  key: string
  head: ReactNode
  cell: (row: T) => ReactNode
  /** Figures are aligned right. */
  figure?: boolean
  /** Its words are never broken: names, which have no hyphens. */
  whole?: boolean
  /** Hidden first when the table is narrow. */
  minor?: boolean
}

export type DataTableProps<T> = {
  /** The accessible name. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowId: (row: T) => string
  /** The row whose details are shown. */
  openId?: string | null
  onOpen?: (row: T) => void
  /** Shown instead of rows. */
  empty?: ReactNode
  more?: { label: string; busy: boolean; load: () => void } | undefined
}

/**
 * A dense table. One row is in the tab order; arrows, Home, End, Page Up and Page Down move the focus and Enter opens,
 * so that moving through a list does not open anyone's details.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowId, openId = null, onOpen, empty, more } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const openAt = rows.findIndex((row) => rowId(row) === openId)
  const stop = openAt < 0 ? 0 : openAt
  const drawn = useDrawnRows(rows)

  useRingOnOpen(body, openId, openAt)
  useRowBefore(body, props, drawn.length)

  const { click, move } = useRowEvents(body, props)

  if (rows.length === 0) return <div className={styles.empty}>{empty}</div>
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose rows take the focus is a grid */}
      <table className={styles.table} role="grid" aria-label={label} onClick={click} onKeyDown={move}>
        <thead>
          <tr>
            {columns.map(({ key, head, figure, minor }) => (
              <th key={key} scope="col" className={cx(figure && styles.figure, minor && styles.minor)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} data-rows="">
          {drawn.map((row, at) => (
            <Row
              key={rowId(row)}
              row={row}
              columns={columns}
              isStop={at === stop}
              isOpen={at === openAt}
              opens={onOpen !== undefined}
            />
          ))}
        </tbody>
      </table>
      {more !== undefined && (
        <div className={styles.more}>
          <Button variant="text" busy={more.busy} onClick={more.load}>
            {more.label}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What a click and a key do in any row: the rows themselves have no handlers, so that they stay the same. */
function useRowEvents<T>(
  body: RefObject<HTMLTableSectionElement | null>,
  { rows, rowId, openId, onOpen }: DataTableProps<T>,
) {
  const rowAt = (event: { target: EventTarget }): { row: T; element: HTMLTableRowElement } | undefined => {
    const element = (event.target as Element).closest('tr')
    if (element?.parentElement !== body.current || element === null) return undefined
    const row = rows[element.sectionRowIndex]
    return row === undefined ? undefined : { row, element }
  }
  const open = (row: T): void => {
    if (onOpen === undefined) return
    keepPlace({ row: rowId(row) })
    onOpen(row)
  }
  const click = (event: MouseEvent): void => {
    const at = rowAt(event)
    if (at !== undefined) open(at.row)
  }
  const move = (event: KeyboardEvent): void => {
    const at = rowAt(event)
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && event.target === at.element) {
      event.preventDefault()
      open(at.row)
      return
    }
    // In the open row these scroll what is open.
    if (rowId(at.row) === openId && event.key.startsWith('Page')) return
    const next = nextRow(event.key, [...(body.current?.querySelectorAll('tr') ?? [])], at.element)
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
  return { click, move }
}

type RowProps<T> = {
  row: T
  columns: readonly Column<T>[]
  /** Whether it is the one in the tab order. */
  isStop: boolean
  isOpen: boolean
  opens: boolean
}

function TableRow<T>({ row, columns, isStop, isOpen, opens }: RowProps<T>) {
  return (
    <tr tabIndex={isStop ? 0 : -1} aria-selected={isOpen} className={cx(opens && styles.opens)}>
      {columns.map(({ key, cell, figure, whole, minor }) => (
        <td key={key} className={cx(figure && styles.figure, whole && styles.whole, minor && styles.minor)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
/** Drawn again only if something of it changes: a list may have a thousand. */
const Row = memo(TableRow) as typeof TableRow

/** The ring follows what opens by itself, such as the next request. */
function useRingOnOpen(
  body: RefObject<HTMLTableSectionElement | null>,
  openId: string | null,
  openAt: number,
): void {
  useEffect(() => {
    const rows = [...(body.current?.rows ?? [])]
    const focused = rows.find((row) => row === document.activeElement)
    if (focused !== undefined && openAt >= 0) rows[openAt]?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- only when another one opens, not when the rows move
  }, [openId])
}

/** Who comes back to a list finds the row that was opened, with the ring, in sight. */
function useRowBefore<T>(
  body: RefObject<HTMLTableSectionElement | null>,
  { rows, rowId, openId = null }: DataTableProps<T>,
  drawnCount: number,
): void {
  const before = placeNow().row
  const id = openId ?? before
  const at = rows.findIndex((row) => rowId(row) === id)
  const isDrawn = at >= 0 && at < drawnCount
  useEffect(() => {
    const row = isDrawn ? body.current?.querySelectorAll('tr')[at] : undefined
    if (row === undefined) return
    row.scrollIntoView({ block: 'nearest' })
    if (id === before && document.activeElement === document.body) row.focus({ preventScroll: true })
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the row is there
  }, [isDrawn])
}

const page = 10

function nextRow(
  key: string,
  rows: readonly HTMLTableRowElement[],
  from: HTMLTableRowElement,
): HTMLTableRowElement | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  }
  const step = steps[key]
  if (step === undefined) return undefined
  return rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(from) + step))]
}

/** Moves the focus of the first table on the page by some rows: for commands that work from anywhere. */
export function focusRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('[data-rows] > tr')]
  const focused = rows.findIndex((row) => row === document.activeElement)
  const selected = rows.findIndex((row) => row.getAttribute('aria-selected') === 'true')
  const from = focused < 0 ? selected : focused
  const to = from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step))
  rows[to]?.focus()
}
