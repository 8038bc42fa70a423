import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { actionsOf } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { call } from '../../api.ts'
import { useDesk, useDeskList } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import type { Texts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'

const { limits, products } = backOfficeRoutes
type View = RouteAnswer<typeof limits.show>
type Method = View['deposits'][number]
type Product = RouteAnswer<typeof products.list>['items'][number]

/** As many digits as the largest amount has, and the dot. */
const amountDigits = 9

/** The limits in force, and the one that the staff changes: above which amount two persons approve a withdrawal. */
export function Limits() {
  const t = useTexts()
  const { data, failure } = useDesk(limits.show, {})
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
  const { max, twoPersonsAbove, restHours } = withdrawals
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
              summary: t('limit.changeMeans', { amount: twoPersonsAbove }),
              needs: {
                kind: 'text',
                field: 'limit.twoPersonsAbove',
                hint: 'limit.amountHint',
                maxLength: amountDigits,
              },
              run: (amount) => call(limits.withdrawals, { body: { twoPersonsAbove: amount.trim() } }),
            },
          ])}
        />
      }
    >
      <Facts
        items={[
          { label: t('limit.max'), value: <Money value={max} /> },
          { label: t('limit.twoPersonsAbove'), value: <Money value={twoPersonsAbove} /> },
          {
            label: t('limit.rest'),
            value: restHours === 0 ? t('limit.noRest') : t('limit.hours', { count: restHours }),
          },
        ]}
      />
    </Block>
  )
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

/** The stakes of each product, one line for each duration. */
function Stakes() {
  const t = useTexts()
  const list = useDeskList(products.list, {})
  return (
    <Block title={t('limit.stakes')} flush>
      <ListTable label={t('limit.stakes')} columns={stakeColumns(t)} list={list} rowId={({ id }) => id} />
    </Block>
  )
}

const methodColumns = (t: Texts): Column<Method>[] => [
  { key: 'method', head: t('limit.method'), cell: ({ id, currency }) => `${id} (${currency})` },
  { key: 'min', head: t('limit.min'), cell: ({ min }) => <Money value={min} />, figure: true },
  { key: 'max', head: t('limit.maxEach'), cell: ({ max }) => <Money value={max} />, figure: true },
]

const stakeColumns = (t: Texts): Column<Product>[] => [
  { key: 'code', head: t('product.code'), cell: ({ code }) => code },
  {
    key: 'duration',
    head: t('limit.duration'),
    cell: ({ stakes }) =>
      stakes.map(({ seconds }) => <div key={seconds}>{t('limit.seconds', { count: seconds })}</div>),
  },
  {
    key: 'stake',
    head: t('limit.stake'),
    figure: true,
    cell: ({ stakes }) =>
      stakes.map(({ seconds, min, max }) => (
        <div key={seconds}>
          <Money value={min} /> – <Money value={max} />
        </div>
      )),
  },
]
