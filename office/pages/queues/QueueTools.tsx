import { useRef, type KeyboardEvent } from 'react'
import { languages } from '../../../contract/constants.ts'
import { queueOrders, queueParts, type QueueName } from '../../../contract/office/queues.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { Pill } from '../../../src/ui/Pill.tsx'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { Choice, Entry } from '../../ui/Control.tsx'
import { focusRow } from '../../ui/DataTable.tsx'
import { useMethodName } from './useMethodName.ts'
import {
  cleared,
  isAmountUnclear,
  isFiltered,
  withAmount,
  withMethod,
  withPicture,
  withProposer,
  type Typed,
} from './wanted.ts'
import styles from './QueueTools.module.css'

/** Waits that can be chosen, in minutes. */
const waits = [60, 240, 1440]
const waitOptions = (t: Texts) => [
  { value: '', label: t('queue.anyWait') },
  ...waits.map((value) => ({ value: String(value), label: t('queue.hours', { count: value / 60 }) })),
]

type QueueToolsProps = {
  queue: QueueName
  typed: Typed
  onTyped: (typed: Typed) => void
  /** Whether Escape clears the filters: nothing is open that it would close. */
  mayClear: boolean
}

/**
 * Which items of a queue are shown, and in which order. A key leads to the first filter, and Escape from any of them to the
 * list, as it is filtered then; once more clears the filters.
 */
export function QueueTools({ queue, typed, onTyped, mayClear }: QueueToolsProps) {
  const t = useTexts()
  const filters = useRef<HTMLDivElement>(null)
  const hasFilter = isFiltered(typed) || typed.from !== ''
  const clear = (): void => onTyped(cleared(typed))
  useCommands([
    {
      label: 'keys.filter',
      keys: 'f',
      group: 'list',
      run: () => filters.current?.querySelector('select')?.focus(),
    },
    mayClear && hasFilter && { label: 'queue.clear', keys: 'Escape', group: 'list', run: clear },
  ])
  const hasAmount = withAmount.has(queue)
  const set = (part: Partial<Typed>): void => onTyped({ ...typed, ...part })
  const filter = (name: keyof Typed) => ({
    value: typed[name],
    onValue: (value: string) => set({ [name]: value }),
  })
  const orders = queueOrders.filter((order) => hasAmount || (order !== 'largest' && order !== 'smallest'))
  const shown = queueParts.filter((part) => part !== 'second' || withProposer.has(queue))
  return (
    <div ref={filters} role="presentation" className={styles.filters} onKeyDownCapture={toList}>
      <Choice
        label={
          <>
            {t('queue.shown')} <Keys keys="f" />
          </>
        }
        {...filter('show')}
        options={shown.map((value) => ({ value, label: t(`queue.show.${value}`) }))}
      />
      <Choice
        label={t('queue.order')}
        {...filter('order')}
        options={orders.map((value) => ({ value, label: t(`queue.orders.${value}`) }))}
      />
      <Choice label={t('queue.waited')} {...filter('waited')} options={waitOptions(t)} />
      {hasAmount && (
        <Entry
          label={t('queue.from')}
          value={typed.from}
          inputMode="decimal"
          size={8}
          error={isAmountUnclear(typed) ? t('queue.noAmount') : undefined}
          onValue={(from) => set({ from })}
        />
      )}
      {withMethod.has(queue) && (
        <Methods queue={queue} value={typed.method} onValue={(method) => set({ method })} />
      )}
      {withPicture.has(queue) && (
        <Choice
          label={t(queue === 'deposits' ? 'deposit.proof' : 'thread.picture')}
          {...filter('picture')}
          options={(['', 'with', 'without'] as const).map((value) => ({
            value,
            label: t(value === '' ? 'queue.any' : `queue.picture.${value}`),
          }))}
        />
      )}
      {queue === 'service' && <MemberLanguages {...filter('language')} />}
      {hasFilter && <Pill onClick={clear}>{t('queue.clear')}</Pill>}
    </div>
  )
}

/** Escape in a filter leads to the open row, or else the first. */
function toList(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return
  event.preventDefault()
  event.stopPropagation()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  focusRow(0)
}

function Methods({
  queue,
  value,
  onValue,
}: Pick<QueueToolsProps, 'queue'> & { value: string; onValue: (method: string) => void }) {
  const t = useTexts()
  const nameOf = useMethodName()
  const { data } = useOfficeCall(officeRoutes.limits.show, {}, { enabled: queue === 'deposits' })
  const methods = queue === 'deposits' ? (data?.deposits.map(({ id }) => id) ?? []) : ['bank', 'crypto']
  return (
    <Choice
      label={t('deposit.method')}
      value={value}
      options={[
        { value: '', label: t('queue.any') },
        ...methods.map((method) => ({ value: method, label: nameOf(method) })),
      ]}
      onValue={onValue}
    />
  )
}

function MemberLanguages(filter: { value: string; onValue: (language: string) => void }) {
  const t = useTexts()
  return (
    <Choice
      label={t('account.language')}
      {...filter}
      options={[
        { value: '', label: t('queue.any') },
        ...languages.map((code) => ({ value: code, label: languageNames[code].own })),
      ]}
    />
  )
}
