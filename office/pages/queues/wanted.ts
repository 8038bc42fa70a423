import type { Language } from '../../../contract/constants.ts'
import { formatMoney } from '../../../contract/money.ts'
import type { QueueName, QueueOrder, QueuePart } from '../../../contract/office/queues.ts'
import { amountTyped } from '../../data/amountTyped.ts'
import type { Wanted } from './useQueue.ts'

/** Those whose items have amounts. */
export const withAmount: ReadonlySet<QueueName> = new Set([
  'deposits',
  'withdrawals',
  'payments',
  'proposals',
])
/** Those whose items may come with a picture that others have not. */
export const withPicture: ReadonlySet<QueueName> = new Set(['deposits', 'service'])
/** Those whose items have a method or a kind of account. */
export const withMethod: ReadonlySet<QueueName> = new Set(['deposits', 'withdrawals', 'payments'])
/** Those whose items may wait for a second person. */
export const withProposer: ReadonlySet<QueueName> = new Set([
  'deposits',
  'withdrawals',
  'password-requests',
  'proposals',
])

/** Those whose items move money: their lists mark the dangers. */
export const withDangers: ReadonlySet<QueueName> = withAmount

/** As typed and chosen: an amount that is not complete yet filters nothing. */
export type Typed = {
  show: QueuePart
  order: QueueOrder
  from: string
  waited: string
  picture: '' | 'with' | 'without'
  method: string
  language: '' | Language
}
export const everything: Typed = {
  show: 'all',
  order: 'turn',
  from: '',
  waited: '',
  picture: '',
  method: '',
  language: '',
}

/** Everything, in the order that was chosen. */
export const cleared = ({ order }: Typed): Typed => ({ ...everything, order })

/** Whether what is typed as an amount is none. */
export const isAmountUnclear = ({ from }: Typed): boolean => amountTyped(from) === 'unclear'

/** Whether less than everything is asked for. */
export const isFiltered = (typed: Typed): boolean => {
  const { order: _order, ...filters } = wantedOf(typed)
  return Object.keys(filters).length > 0
}

/** What the call of the queue takes for it. */
export function wantedOf({ show, order, from, waited, picture, method, language }: Typed): Wanted {
  const least = amountTyped(from)
  return {
    ...(show !== 'all' && { show }),
    ...(order !== 'turn' && { order }),
    ...(typeof least === 'number' && { from: formatMoney(least) }),
    ...(waited !== '' && { waited }),
    ...(picture !== '' && { picture }),
    ...(method !== '' && { method }),
    ...(language !== '' && { language }),
  }
}
