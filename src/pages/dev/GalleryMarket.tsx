import {
  Badge,
  Cells,
  Change,
  DirectionTile,
  Stat,
  KeyValues,
  CountdownRing,
  Sparkline,
} from '../../ui/index.ts'
import type { Movement, CountdownSource } from '../../ui/index.ts'
import { GallerySample } from './GallerySample.tsx'
import styles from './Gallery.module.css'

const rising = [4, 6, 5, 8, 9, 12, 11, 15, 18, 16, 17, 16, 15, 16, 16]
const falling = [20, 19, 20, 17, 18, 15, 16, 13, 14, 9, 12, 11, 8, 11, 10]

const products: readonly {
  name: string
  price: string
  change: string
  movement: Movement
  values: number[]
}[] = [
  { name: 'XAU/USD', price: '1,295.78', change: '+0.96%', movement: 'up', values: rising },
  { name: 'BTC/USDT', price: '61,602.02', change: '−0.38%', movement: 'down', values: falling },
  { name: 'IF', price: '5,260.0', change: '0.00%', movement: 'level', values: [5, 5, 5, 5] },
]

/** A countdown that does not move, so that screenshots of the gallery can be compared. */
function frozen(remainingMs: number): CountdownSource {
  return (paint) => {
    paint(remainingMs)
    return () => undefined
  }
}
const seconds = { totalMs: 59_000, bind: frozen(42_000) }
const minutes = { totalMs: 900_000, bind: frozen(252_000) }
const rings = [
  seconds,
  { totalMs: 30_000, bind: frozen(10_000) },
  { totalMs: 31_000, bind: frozen(5_000) },
  { totalMs: 32_000, bind: frozen(0) },
  minutes,
  { totalMs: 3_600_000, bind: frozen(3_540_000) },
]

/** Prices, orders and stats. */
export const GalleryMarket = () => (
  <>
    <ProductRows />
    <Orders />
    <Stats />
    <Badges />
  </>
)

const ProductRows = () => (
  <GallerySample title="Product rows">
    {products.map((product) => (
      <div key={product.name} className={styles.product}>
        <div className={styles.grow}>
          <div className={styles.name}>{product.name}</div>
          <div className={styles.caption}>Vol 155.3K</div>
        </div>
        <Sparkline values={product.values} movement={product.movement} />
        <div className={styles.figures}>
          <Stat size={17}>{product.price}</Stat>
          <Change movement={product.movement}>{product.change}</Change>
        </div>
      </div>
    ))}
  </GallerySample>
)

const Orders = () => (
  <GallerySample title="Orders">
    {(['up', 'down'] as const).map((direction) => (
      <div key={direction} className={styles.product}>
        <DirectionTile direction={direction} />
        <div className={styles.grow}>
          <div className={styles.name}>EUR/USD</div>
          <div className={styles.caption}>100.00 · 1.14487</div>
        </div>
        <div className={styles.figures}>
          <Change movement={direction} bare strong>
            {direction === 'up' ? '+87.00' : '−100.00'}
          </Change>
          <span className={styles.caption}>if it ended now</span>
        </div>
        <CountdownRing
          {...(direction === 'up' ? seconds : minutes)}
          label="Time left"
          settlingLabel="Settling"
          announcement={(seconds) => `${seconds} s left`}
        />
      </div>
    ))}
    <div className={styles.wrap}>
      {rings.map((ring) => (
        <CountdownRing
          key={ring.totalMs}
          {...ring}
          label="Time left"
          settlingLabel="Settling"
          announcement={(seconds) => `${seconds} s left`}
        />
      ))}
    </div>
  </GallerySample>
)

const Stats = () => (
  <GallerySample title="Stats">
    <div className={styles.tight}>
      <div className={styles.wrap}>
        <span className={styles.muted}>Total assets</span>
        <Badge kind="practice">Practice</Badge>
      </div>
      <Stat unit="USD">40,890.50</Stat>
      <div className={styles.wrap}>
        <Stat size={28} tone="stale">
          1.14278
        </Stat>
        <Stat size={22} tone="up">
          +85.00
        </Stat>
        <Stat size={17} tone="down">
          −100.00
        </Stat>
        <Change movement="up" quiet>
          +0.57%
        </Change>
      </div>
      <KeyValues
        items={[
          { key: 'duration', label: 'Duration', value: '1 min' },
          { key: 'price', label: 'Price now', value: '1.14278' },
        ]}
      />
      <Cells
        border="box"
        items={[
          { key: 'right', label: 'If right', value: '+85.00' },
          { key: 'wrong', label: 'If wrong', value: '−100.00' },
          { key: 'even', label: 'Break-even', value: '54.1%' },
        ]}
      />
    </div>
  </GallerySample>
)

const Badges = () => (
  <GallerySample title="Badges">
    <div className={styles.wrap}>
      <Badge kind="practice">Practice</Badge>
      <Badge icon="seal-check-fill">Verified</Badge>
      <Badge>Gold</Badge>
      <Badge kind="warn">Under Review</Badge>
      <Badge kind="success">Successful</Badge>
      <Badge kind="danger">Failed</Badge>
    </div>
  </GallerySample>
)
