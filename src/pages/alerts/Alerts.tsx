import { useTranslation } from 'react-i18next'
import { openAlertsMax, type PriceAlert } from '../../../contract/priceAlerts.ts'
import { AlertRows } from '../../features/alerts/AlertRows.tsx'
import { usePriceAlerts } from '../../features/alerts/usePriceAlerts.ts'
import { LivePrice } from '../../features/market/LivePrice.tsx'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { loadableOf } from '../../hooks/useListState.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, Skeleton, TextLink } from '../../ui/index.ts'
import styles from './Alerts.module.css'

/** The price alerts that wait, of all products, each product with its price now. */
export function Alerts() {
  const { t } = useTranslation()
  const list = usePriceAlerts()
  const catalog = useCatalog()
  return (
    <Page
      ground="market"
      title={t('title.alerts')}
      backTo={paths.messages}
      width="wide"
      receives="prices"
      refresh="bar"
    >
      <Loaded
        of={loadableOf(list)}
        failed={t('alert.failed')}
        retry={list.retry}
        skeleton={<AlertsSkeleton />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <NoAlerts />
          ) : (
            <>
              <p className={styles.lead}>
                {t('alert.count', { waiting: String(items.length), max: String(openAlertsMax) })}
              </p>
              <div className={styles.products}>
                {alertsByProduct(items).map(([id, alerts]) => {
                  const product = catalog?.find((each) => each.id === id)
                  const code = product?.code ?? id
                  return (
                    <section key={id} className={styles.product} aria-label={code}>
                      <div className={styles.head}>
                        <h2 className={styles.code}>
                          <TextLink size={15} strong href={hrefTo(paths.product, { id })}>
                            {code}
                          </TextLink>
                        </h2>
                        <span className={styles.price}>
                          <LivePrice id={id} {...(product && { last: product.last })} />
                        </span>
                      </div>
                      <AlertRows alerts={alerts} code={code} onRemoved={list.upsert} />
                    </section>
                  )
                })}
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** The product with the newest alert first; the alerts of each in their order. */
function alertsByProduct(alerts: readonly PriceAlert[]): [productId: string, PriceAlert[]][] {
  const byProduct = new Map<string, PriceAlert[]>()
  for (const alert of alerts) {
    const known = byProduct.get(alert.productId)
    if (known === undefined) byProduct.set(alert.productId, [alert])
    else known.push(alert)
  }
  return [...byProduct]
}

function NoAlerts() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="bell-ringing"
      title={t('alert.noneAtAll')}
      action={
        <Button variant="secondary" href={hrefTo(paths.products)}>
          {t('orders.seeProducts')}
        </Button>
      }
    >
      {t('alert.noneText')}
    </EmptyState>
  )
}

function AlertsSkeleton() {
  const { t } = useTranslation()
  return (
    <output className={styles.waiting} aria-label={t('common.loading')}>
      {Array.from({ length: 3 }, (_, row) => (
        <Skeleton key={row} line={15} width="70%" />
      ))}
    </output>
  )
}
