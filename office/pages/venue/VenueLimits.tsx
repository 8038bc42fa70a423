import { formatMoney } from '../../../contract/money.ts'
import { minor } from '../../../contract/units.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { actionsOf, type Action } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { call } from '../../api.ts'
import { useOfficeCall, useOfficeList } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { amountTyped } from '../../data/amountTyped.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { proposedDanger } from '../queues/proposedDanger.ts'
import { MethodName } from '../queues/MethodName.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'

const { limits, products } = officeRoutes
type View = RouteAnswer<typeof limits.show>
type Method = View['deposits'][number]
type Product = RouteAnswer<typeof products.list>['items'][number]

/** The length of the largest amount: its digits, the dot, and the commas of thousands. */
const amountDigits = 12

/** An amount as it is typed, such as 5000 or 5,000, as the venue takes it; another text as it is, so that the venue says so. */
function amountOf(typed: string): string {
  const amount = amountTyped(typed)
  return typeof amount === 'number' ? formatMoney(amount) : typed.trim()
}

/** The limits in force, and the one that the staff changes: above which amount two persons approve a withdrawal. */
export function VenueLimits() {
  const t = useTexts()
  const { data, failure } = useOfficeCall(limits.show, {})
  return (
    <Screen title={t('nav.limits')}>
      <Scroll>
        <FailureLine failure={failure} />
        {data !== undefined && (
          <>
            <Withdrawals {...data} />
            <Block title={t('limit.deposits')} flush>
              <DataTable
                label={t('limit.deposits')}
                rows={data.deposits}
                rowId={({ id }) => id}
                empty={t('list.empty')}
                columns={methodColumns(t)}
              />
            </Block>
            <FundLimits fund={data.fund} />
          </>
        )}
        <Stakes />
        <Block title={t('limit.origin')}>
          <p>{t('limit.source')}</p>
        </Block>
      </Scroll>
    </Screen>
  )
}

function Withdrawals({ withdrawals }: Pick<View, 'withdrawals'>) {
  const t = useTexts()
  const may = useMay()
  const format = useOfficeFormat()
  const { max, twoPersonsAbove, twoPersonsAboveInAll, restHours } = withdrawals
  const effectOf = useEffectOf(withdrawals)
  return (
    <Block
      title={t('limit.withdrawals')}
      tools={
        <ActionBar
          actions={actionsOf([
            may('limits.withdrawals') && {
              key: 'b',
              label: 'limit.change',
              done: 'limit.changed',
              summary: t('limit.changeMeans', { amount: format.money(twoPersonsAbove) }),
              needs: {
                kind: 'text',
                field: 'limit.twoPersonsAbove',
                hint: 'limit.amountHint',
                maxLength: amountDigits,
              },
              effect: effectOf,
              run: (typed) => call(limits.withdrawals, { body: { twoPersonsAbove: amountOf(typed) } }),
              undo: () => ({
                done: 'action.undone',
                run: () => call(limits.withdrawals, { body: { twoPersonsAbove } }),
              }),
            },
          ])}
        />
      }
    >
      <Facts
        items={[
          { label: t('limit.max'), value: <Money value={max} /> },
          { label: t('limit.twoPersonsAbove'), value: <Money value={twoPersonsAbove} /> },
          { label: t('limit.twoPersonsAboveInAll'), value: <Money value={twoPersonsAboveInAll} /> },
          {
            label: t('limit.rest'),
            value: restHours === 0 ? t('limit.noRest') : t('limit.hours', { count: restHours }),
          },
        ]}
      />
      <p>{t('limit.twoPersonsCount')}</p>
    </Block>
  )
}

/** Both amounts, as they are and as they become: the one of all members may go with that of one. */
function useEffectOf(withdrawals: View['withdrawals']) {
  const t = useTexts()
  const format = useOfficeFormat()
  const { twoPersonsAbove, twoPersonsAboveInAll, inAllTimes } = withdrawals
  return (typed: string): ReturnType<NonNullable<Action['effect']>> => {
    const amount = amountTyped(typed)
    if (typeof amount !== 'number') return {}
    const inAll = inAllTimes === null ? twoPersonsAboveInAll : formatMoney(minor(amount * inAllTimes))
    const to = { one: formatMoney(amount), all: inAll }
    const change = (from: string, after: string) =>
      t('limit.fromTo', { from: format.money(from, 'never'), to: format.money(after, 'never') })
    const summary = (
      <Facts
        items={[
          { label: t('limit.twoPersonsAbove'), value: change(twoPersonsAbove, to.one) },
          { label: t('limit.twoPersonsAboveInAll'), value: change(twoPersonsAboveInAll, to.all) },
        ]}
      />
    )
    const params = {
      twoPersonsAboveBefore: twoPersonsAbove,
      twoPersonsAbove: to.one,
      twoPersonsAboveInAll: to.all,
    }
    return { summary, danger: proposedDanger(t, format, { act: 'limits.withdrawals', params }) }
  }
}

function FundLimits({ fund }: Pick<View, 'fund'>) {
  const t = useTexts()
  return (
    <Block title={t('limit.fund')}>
      <Facts
        items={[
          { label: t('limit.minDeposit'), value: <Money value={fund.minDeposit} /> },
          { label: t('limit.depositsPerDay'), value: fund.depositsPerDay },
          { label: t('limit.withdrawalsPerDay'), value: fund.withdrawalsPerDay },
          { label: t('limit.fastCap'), value: <Money value={fund.fastCapPerDay} /> },
        ]}
      />
    </Block>
  )
}

/** The stakes of each product, one line for each range with its durations. */
function Stakes() {
  const t = useTexts()
  const list = useOfficeList(products.list, {})
  return (
    <Block title={t('limit.stakes')} flush>
      <ListTable label={t('limit.stakes')} columns={stakeColumns(t)} list={list} rowId={({ id }) => id} />
    </Block>
  )
}

const methodColumns = (t: Texts): Column<Method>[] => [
  { key: 'method', head: t('limit.method'), cell: ({ id }) => <MethodName method={id} /> },
  {
    key: 'amount',
    head: t('column.amount'),
    cell: ({ min, max }) => (
      <>
        <Money value={min} /> – <Money value={max} />
      </>
    ),
  },
]

const stakeColumns = (t: Texts): Column<Product>[] => [
  { key: 'code', head: t('product.code'), whole: true, cell: ({ code }) => code },
  {
    key: 'stake',
    head: t('limit.stake'),
    cell: ({ stakes }) => <Ranges stakes={stakes} />,
  },
]

type Stake = Product['stakes'][number]

function Ranges({ stakes }: { stakes: readonly Stake[] }) {
  const t = useTexts()
  const { money, list } = useOfficeFormat()
  return byRange(stakes).map(({ min, max, seconds }) => (
    <div key={seconds.join(' ')}>
      {t('limit.range', {
        amounts: `${money(min, 'never')} – ${money(max, 'never')}`,
        durations: list(seconds.map((count) => t('limit.seconds', { count }))),
      })}
    </div>
  ))
}

/** The durations of each range, so that equal ones take one line. */
function byRange(stakes: readonly Stake[]): { min: string; max: string; seconds: number[] }[] {
  const ranges = new Map<string, { min: string; max: string; seconds: number[] }>()
  for (const { min, max, seconds } of stakes) {
    const range = ranges.get(`${min} ${max}`) ?? { min, max, seconds: [] }
    ranges.set(`${min} ${max}`, { ...range, seconds: [...range.seconds, seconds] })
  }
  return [...ranges.values()]
}
