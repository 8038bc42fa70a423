import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { categories } from '../../../contract/products.ts'
import type { Product, Streams } from '../../../streams/index.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreamsIfReady } from '../../hooks/useStreams.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { hrefTo, navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { LanguageSelect } from '../../shell/LanguageSelect.tsx'
import { Button, Logo, TextLink } from '../../ui/index.ts'
import { ProductList, ProductListSkeleton } from '../../features/market/ProductList.tsx'
import { RiskConsent } from './RiskConsent.tsx'
import { useRiskNotice } from '../../features/content/useRiskNotice.ts'
import styles from './Welcome.module.css'

/** The number of products in a wide window; a phone shows fewer. */
const shownProducts = 5

/** Whether others sign the public log, so that a later change would show: the venue writes it into the page. */
const isWitnessed = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.dataset['witnessed'] !== undefined

/** The landing page: a description, prices, and the links to log in and register. */
export function Welcome() {
  const { t } = useTranslation()
  const { accepted } = useRiskNotice()
  const [isRegisterAttempted, setRegisterAttempted] = useState(false)
  return (
    <div className={styles.page} data-ground="market">
      <header className={styles.bar}>
        <Logo name={t('common.appName')} size={26} />
        <LanguageSelect variant="name" />
      </header>
      <main className={styles.main}>
        <div className={styles.words}>
          <h1 className={styles.promise} tabIndex={-1}>
            {t('welcome.promise')}
          </h1>
          <p className={styles.sentence}>
            {t(isWitnessed() ? 'welcome.sentenceWitnessed' : 'welcome.sentence')}
          </p>
        </div>
        <div className={styles.side}>
          <section aria-labelledby="prices">
            <div className={styles.head}>
              <h2 id="prices" className={styles.label}>
                {t('welcome.prices')}
              </h2>
              <TextLink href={hrefTo(paths.status)}>{t('title.status')}</TextLink>
            </div>
            <LivePrices />
          </section>
          <div className={styles.ways}>
            <Button block href={hrefTo(paths.login)}>
              {t('welcome.login')}
            </Button>
            <Button
              block
              variant="secondary"
              onClick={() => (accepted ? navigate(paths.registerCheck) : setRegisterAttempted(true))}
            >
              {t('welcome.register')}
            </Button>
            <RiskConsent missing={isRegisterAttempted && !accepted} />
          </div>
        </div>
      </main>
      <Company />
    </div>
  )
}

/** Who runs the venue; the page carries the lines before the configuration is known. */
function Company() {
  const lines = useVenueConfig()?.company ?? []
  return (
    <footer className={styles.company} data-company>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </footer>
  )
}

/** One of each category first, so that the first rows show the range of products. */
function categoriesFirst(products: readonly Product[]): Product[] {
  const firsts = categories.flatMap(
    (category) => products.find((product) => product.category === category) ?? [],
  )
  return [...firsts, ...products.filter((product) => !firsts.includes(product))]
}

/** The only part of the page that needs the streams: the text above it shows before they are loaded. */
function LivePrices() {
  const streams = useStreamsIfReady()
  return (
    <div className={styles.prices}>
      {streams ? <Recommended recommended$={streams.recommended$} /> : priceSkeleton}
    </div>
  )
}

const priceSkeleton = <ProductListSkeleton rows={shownProducts} inset="flush" />

function Recommended({ recommended$ }: Pick<Streams, 'recommended$'>) {
  const { t } = useTranslation()
  const products = valueOf(useLoadable(recommended$))
  if (products === undefined) return priceSkeleton
  return (
    <ProductList
      products={categoriesFirst(products).slice(0, shownProducts)}
      caption="name"
      label={t('welcome.prices')}
      inset="flush"
    />
  )
}
