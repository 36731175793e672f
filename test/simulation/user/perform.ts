import type { Action } from '../world/actions.ts'
import { giveKey } from '../app/give-key.ts'
import { Seeded } from '../machine/random.ts'
import type { User } from './user.ts'
import type { World } from '../world/world.ts'

/** Actions after which `UndoSaves` knows the save that an undo takes back, because it records them or they save nothing. */
const KEEPS_SAVES: ReadonlySet<Action['do']> = new Set([
  ...([
    'update',
    'correct',
    'saveNew',
    'undoSave',
    'sendNow',
    'refresh',
    'pause',
    'newKey',
    'otherKey',
    'quit',
    'crash',
    'crashAtWrite',
  ] as const),
  ...(['sleep', 'full', 'lock', 'jump', 'weather', 'skew', 'remote', 'disturb', 'wait'] as const),
])

export async function perform(world: World, user: User, action: Action): Promise<void> {
  if (!KEEPS_SAVES.has(action.do)) user.undoSaves.forgetAll()
  await world.step(action, () => run(world, user, action))
}

function run(world: World, user: User, action: Action): void | Promise<void> {
  const { time, app, network, service, keychain } = world
  const later = (ms: number, call: () => void) => void time.after(ms, call)
  switch (action.do) {
    case 'create':
      return user.create(action.domain, action.roll)
    case 'update':
      return user.update(action.website, action.roll)
    case 'delete':
      return user.delete(action.website)
    case 'regret':
      return user.regret(action.website, action.how)
    case 'type':
      return user.type(action)
    case 'bulk':
      return user.bulk(action)
    case 'changeBulk':
      return user.changeBulk(action)
    case 'undoBulk':
      return user.bulkChange.undo()
    case 'export':
      return user.export()
    case 'import':
      return user.import()
    case 'correct':
      return user.correct(action.edit, action.roll)
    case 'undoSave':
      return user.undoSave(action.website, action.after)
    case 'saveNew':
      return user.saveNew(action.website, action.roll, action.for)
    case 'undo':
      return user.undo(action.edit)
    case 'discard':
      return user.discard(action.edit)
    case 'resolve':
      return user.resolve(action.edit, action.roll)
    case 'revert':
      return user.revert(action.entry, action.roll)
    case 'sendNow':
      return user.sendNow(action.edit)
    case 'refresh':
      void app.refresh.run()
      return
    case 'pause':
      world.pause()
      return later(action.for, () => world.goOn())
    case 'transfer':
      return world.transfer()
    case 'newKey':
      world.changeKey()
      return later(action.after, () => void world.giveKey())
    case 'otherKey':
      // Without an account and without edits, the app has nothing by which to reject a key of another account.
      if (!service.quirks.showsAccount && app.edits().length === 0) return
      return void giveKey(app, network, 'key-canary-other', false)
    case 'quit':
      return world.quit().then(() => world.restart(action.for))
    case 'crash':
      return world.restart(action.for)
    case 'crashAtWrite':
      app.appRun.crashAtWrite = { writes: action.writes, written: action.written }
      return
    case 'sleep':
      app.appRun.sleep(action.for)
      return later(action.for, () => app.appRun.alive && app.keyChanged())
    case 'full':
      app.appRun.diskFull = true
      world.fulls.push({ from: time.now, until: time.now + action.for })
      return later(action.for, () => (app.appRun.diskFull = false))
    case 'lock':
      keychain.locked = true
      return later(action.for, () => keychain.unlock())
    case 'jump':
      return app.appRun.jump(action.by)
    case 'weather':
      network.weather = action.weather
      return later(action.for, () => (network.weather = 'fair'))
    case 'skew':
      return service.setClock(action.by)
    case 'remote':
      return world.remote(action.change, action.website, action.roll)
    case 'disturb':
      return world.disturb(time.now + action.for, new Seeded(action.roll))
    case 'wait':
      return world.pass(action.ms)
  }
}
