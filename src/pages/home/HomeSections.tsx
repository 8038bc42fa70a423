import { useLanguage } from '../../hooks/useFormat.ts'
import { HomeHighlights } from './HomeHighlights.tsx'
import { HomeNews } from './HomeNews.tsx'
import { HomeOrders } from './HomeOrders.tsx'
import styles from './Home.module.css'

/** The member's orders, highlights and news: areas of the home page's grid. */
export function HomeSections() {
  const language = useLanguage()
  return (
    <>
      <div className={styles.orders}>
        <HomeOrders />
      </div>
      <div className={styles.highlights}>
        <HomeHighlights key={`highlights-${language}`} />
      </div>
      <div className={styles.news}>
        <HomeNews key={`news-${language}`} />
      </div>
    </>
  )
}
