import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { hourMs } from '../../../contract/time.ts'
import { formatOf } from '../../../src/text/format.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { actionsOf } from '../../actions/action.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { call } from '../../api.ts'
import { useOfficeCall, useOfficeList } from '../../data/useOfficeCall.ts'
import { venueNow } from '../../data/venueClock.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { Block } from '../../ui/Block.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { When } from '../../ui/When.tsx'
import { productColumns } from './productColumns.tsx'

const { site, products, clock } = officeRoutes
type Product = RouteAnswer<typeof products.list>['items'][number]

const everyMs = 5000
/** Ten years: enough digits for any practice, and no overflow. */
const hoursDigits = 5

/** What accepts orders, and the practice calendar. Prices, accepted orders and withdrawals always continue. */
export function Operation() {
  const t = useTexts()
  return (
    <Screen title={t('nav.operation')}>
      <Scroll>
        <Site />
        <Products />
        <Calendar />
      </Scroll>
    </Screen>
  )
}

const opensAtOf = (text: string): { opensAt?: number } => (text === '' ? {} : { opensAt: Number(text) })

/** As it was until now, unless that time has come meanwhile. */
const stillOpensAt = (opensAt: number | null): { opensAt?: number } =>
  opensAt === null || opensAt <= venueNow() ? {} : { opensAt }

function Site() {
  const t = useTexts()
  const may = useMay()
  const { data, failure } = useOfficeCall(site.show, {}, { everyMs })
  const isUp = data?.status === 'up'
  return (
    <Block
      title={t('site.title')}
      tools={
        <ActionBar
          actions={actionsOf([
            isUp &&
              may('site.maintenance') && {
                key: 'b',
                label: 'site.close',
                done: 'site.closed',
                harm: true,
                summary: t('site.effect'),
                needs: { kind: 'hour', field: 'site.opensAt', hint: 'site.opensHint' },
                run: (text) => call(site.maintenance, { body: opensAtOf(text) }),
                undo: () => ({ done: 'site.opened', run: () => call(site.open, {}) }),
              },
            data !== undefined &&
              !isUp &&
              may('site.open') && {
                key: 'o',
                label: 'site.open',
                done: 'site.opened',
                main: true,
                run: () => call(site.open, {}),
                undo: () => ({
                  done: 'site.closed',
                  run: () => call(site.maintenance, { body: stillOpensAt(data.opensAt) }),
                }),
              },
          ])}
        />
      }
    >
      <FailureLine failure={failure} />
      {data !== undefined && (
        <Facts
          items={[
            {
              label: t('column.status'),
              value: isUp ? t('site.up') : <Badge kind="warn">{t('site.maintenance')}</Badge>,
            },
            data.opensAt !== null && { label: t('site.opensAt'), value: <When at={data.opensAt} /> },
          ]}
        />
      )}
    </Block>
  )
}

function Products() {
  const t = useTexts()
  const may = useMay()
  const list = useOfficeList(products.list, {}, { everyMs })
  const isSiteUp = useOfficeCall(site.show, {}, { everyMs }).data?.status !== 'maintenance'
  const [openId, setOpenId] = useState<string | null>(null)
  const open = list.items.find(({ id }) => id === openId)
  return (
    <Block title={t('product.title')} flush tools={open && <ProductActions product={open} may={may} />}>
      <ListTable
        label={t('product.title')}
        columns={productColumns(t, isSiteUp)}
        list={list}
        rowId={({ id }) => id}
        openId={openId}
        onOpen={({ id }) => setOpenId(id)}
      />
    </Block>
  )
}

function ProductActions({ product, may }: { product: Product; may: (call: string) => boolean }) {
  const t = useTexts()
  const { id, status, code } = product
  const params = { id }
  return (
    <ActionBar
      group="list"
      actions={actionsOf([
        status !== 'maintenance' &&
          may('products.maintenance') && {
            key: 's',
            label: 'product.close',
            done: 'product.closed',
            harm: true,
            summary: t('product.effect', { code }),
            needs: { kind: 'hour', field: 'site.opensAt', hint: 'site.opensHint' },
            run: (text) => call(products.maintenance, { params, body: opensAtOf(text) }),
            undo: () => ({ done: 'product.opened', run: () => call(products.open, { params }) }),
          },
        status === 'maintenance' &&
          may('products.open') && {
            key: 's',
            label: 'product.open',
            done: 'product.opened',
            main: true,
            summary: code,
            run: () => call(products.open, { params }),
            undo: () => ({
              done: 'product.closed',
              run: () => call(products.maintenance, { params, body: stillOpensAt(product.opensAt) }),
            }),
          },
      ])}
    />
  )
}

function Calendar() {
  const t = useTexts()
  const may = useMay()
  const { data, failure } = useOfficeCall(clock.show, {}, { everyMs })
  return (
    <Block
      title={t('calendar.title')}
      tools={
        <ActionBar
          actions={actionsOf([
            may('clock.advance') && {
              key: 'v',
              label: 'calendar.advance',
              done: 'calendar.advanced',
              isFinal: true,
              summary: t('calendar.effect'),
              needs: { kind: 'text', field: 'calendar.hours', maxLength: hoursDigits, digits: true },
              run: (hours) => call(clock.advance, { body: { ms: Math.round(Number(hours) * hourMs) } }),
            },
          ])}
        />
      }
    >
      <FailureLine failure={failure} />
      {data !== undefined && (
        <Facts
          items={[
            { label: t('calendar.now'), value: <When at={data.now} /> },
            { label: t('calendar.businessNow'), value: <When at={data.businessNow} /> },
            {
              label: t('calendar.businessOn'),
              value: formatOf(currentLanguage(), 'UTC').date(Date.parse(data.businessOn)),
            },
            { label: t('calendar.zone'), value: data.zone },
          ]}
        />
      )}
    </Block>
  )
}
