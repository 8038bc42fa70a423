import { languages } from '../../../contract/constants.ts'
import { queueOrders, queueParts, type QueueName } from '../../../contract/office/queues.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { Pill } from '../../../src/ui/Pill.tsx'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { Choice, Entry } from '../../ui/Control.tsx'
import { useMethodName } from './useMethodName.ts'
import {
  everything,
  isAmountUnclear,
  isFiltered,
  withAmount,
  withMethod,
  withPicture,
  withProposer,
  type Typed,
} from './wanted.ts'

/** Waits that can be chosen, in minutes. */
const waits = [60, 240, 1440]
const waitOptions = (t: Texts) => [
  { value: '', label: t('queue.anyWait') },
  ...waits.map((value) => ({ value: String(value), label: t('queue.hours', { count: value / 60 }) })),
]

type QueueToolsProps = { queue: QueueName; typed: Typed; onTyped: (typed: Typed) => void }

/** Which items of a queue are shown, and in which order. */
export function QueueTools({ queue, typed, onTyped }: QueueToolsProps) {
  const t = useTexts()
  const hasAmount = withAmount.has(queue)
  const set = (part: Partial<Typed>): void => onTyped({ ...typed, ...part })
  const filter = (name: keyof Typed) => ({
    value: typed[name],
    usual: everything[name],
    onValue: (value: string) => set({ [name]: value }),
  })
  const orders = queueOrders.filter((order) => hasAmount || (order !== 'largest' && order !== 'smallest'))
  const shown = queueParts.filter((part) => part !== 'second' || withProposer.has(queue))
  return (
    <>
      <Choice
        label={t('queue.shown')}
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
      {queue === 'service' && (
        <Choice
          label={t('account.language')}
          {...filter('language')}
          options={[
            { value: '', label: t('queue.any') },
            ...languages.map((code) => ({ value: code, label: languageNames[code].own })),
          ]}
        />
      )}
      {(isFiltered(typed) || typed.from !== '') && (
        <Pill onClick={() => onTyped({ ...everything, order: typed.order })}>{t('queue.clear')}</Pill>
      )}
    </>
  )
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
      usual={everything.method}
      options={[
        { value: '', label: t('queue.any') },
        ...methods.map((method) => ({ value: method, label: nameOf(method) })),
      ]}
      onValue={onValue}
    />
  )
}
