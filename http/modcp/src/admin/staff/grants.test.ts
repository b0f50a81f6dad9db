import { describe, expect, it } from 'vitest';
import type { CatalogPermission, Grant } from '../../api/types';
import { changedKeys, changesBetween, give, keyAt, setScope, take, toList, toMap } from './grants';

const family = 'forum.category';
const catalog: CatalogPermission[] = [
  { permission: 'can_view_reports', dependsOn: null, scope: family },
  { permission: 'can_manage_reports', dependsOn: 'can_view_reports', scope: family },
  { permission: 'can_edit_notes', dependsOn: 'can_manage_reports', scope: family },
  { permission: 'can_pin', dependsOn: null, scope: null },
];
const grant = (permission: string, scope?: Grant['scope']): Grant => ({ plugin: 'forum', module: 'posts', permission, ...(scope === undefined ? {} : { scope }) });
const names = (grants: ReturnType<typeof toMap>) => toList(grants).map((one) => one.permission);
const general = { family, mode: 'selected', ids: ['general'] } as const;

describe('giving a permission', () => {
  it('gives what it depends on, and scopes all alike', () => {
    const grants = give(toMap([]), 'forum', 'posts', 'can_edit_notes', catalog, 'moderator');
    expect(names(grants)).toEqual(['can_view_reports', 'can_manage_reports', 'can_edit_notes']);
    expect(toList(grants).map((one) => one.scope)).toEqual(Array(3).fill({ family, mode: 'all' }));
  });

  it('takes over the scope of what it depends on', () => {
    const before = toMap([grant('can_view_reports', { ...general, ids: ['general'] })]);
    const after = give(before, 'forum', 'posts', 'can_manage_reports', catalog, 'moderator');
    expect(after.get('forum:posts:can_manage_reports')?.scope).toEqual(general);
  });

  it('leaves an unscoped one and an admin one without scope', () => {
    expect(give(toMap([]), 'forum', 'posts', 'can_pin', catalog, 'moderator').get('forum:posts:can_pin')).toEqual(grant('can_pin'));
    expect(give(toMap([]), 'forum', 'posts', 'can_view_reports', catalog, 'admin').get('forum:posts:can_view_reports')).toEqual(grant('can_view_reports'));
  });

  it('ends on a catalog that depends in a circle', () => {
    const circle = [
      { permission: 'a', dependsOn: 'b' },
      { permission: 'b', dependsOn: 'a' },
    ];
    expect(names(give(toMap([]), 'p', 'm', 'a', circle, 'admin')).sort()).toEqual(['a', 'b']);
  });
});

describe('taking a permission', () => {
  it('takes all that depends on it and nothing else', () => {
    const all = give(give(toMap([]), 'forum', 'posts', 'can_edit_notes', catalog, 'moderator'), 'forum', 'posts', 'can_pin', catalog, 'moderator');
    expect(names(take(all, 'forum', 'posts', 'can_view_reports', catalog))).toEqual(['can_pin']);
  });

  it('keeps a grant that the catalog does not know', () => {
    const strange = toMap([grant('from_an_old_plugin'), grant('can_pin')]);
    expect(names(take(strange, 'forum', 'posts', 'can_pin', catalog))).toEqual(['from_an_old_plugin']);
  });
});

describe('a scope', () => {
  const before = give(give(toMap([]), 'forum', 'posts', 'can_manage_reports', catalog, 'moderator'), 'forum', 'posts', 'can_pin', catalog, 'moderator');
  const selected = { family, mode: 'selected' as const, ids: ['general'] };

  it('is set for one grant', () => {
    expect(changedKeys(before, setScope(before, 'forum:posts:can_manage_reports', selected, false))).toEqual(['forum:posts:can_manage_reports']);
  });

  it('is set for the module, where grants have the family', () => {
    expect(changedKeys(before, setScope(before, 'forum:posts:can_manage_reports', selected, true))).toEqual([
      'forum:posts:can_manage_reports',
      'forum:posts:can_view_reports',
    ]);
  });

  it('is the same in another order', () => {
    const one = toMap([grant('a', { family, mode: 'selected', ids: ['x', 'y'] })]);
    const other = toMap([grant('a', { family, mode: 'selected', ids: ['y', 'x'] })]);
    expect(changedKeys(one, other)).toEqual([]);
  });
});

describe('what changed', () => {
  const all = { family, mode: 'all' } as const;

  it('is told module by module, with where it applies', () => {
    const before = toMap([grant('can_pin'), grant('can_hide', { ...general, ids: ['general'] }), grant('can_view_reports', all)]);
    const after = toMap([
      grant('can_hide', { ...general, ids: ['general', 'help'] }),
      grant('can_view_reports', all),
      grant('can_edit_notes', all),
      grant('can_delete_notes', all),
      { plugin: 'forum', module: 'topics', permission: 'can_view_reports', scope: { ...general, ids: ['general'] } },
    ]);
    const order = ['forum:posts:can_view_reports', 'forum:posts:can_edit_notes', 'forum:posts:can_delete_notes', 'forum:posts:can_hide', 'forum:posts:can_pin', 'forum:topics:can_view_reports'];
    expect(changesBetween(before, after, order)).toEqual([
      { kind: 'given', plugin: 'forum', module: 'posts', scope: all, permissions: ['can_edit_notes', 'can_delete_notes'] },
      { kind: 'rescoped', plugin: 'forum', module: 'posts', scope: { ...general, ids: ['general', 'help'] }, permissions: ['can_hide'] },
      { kind: 'taken', plugin: 'forum', module: 'posts', scope: undefined, permissions: ['can_pin'] },
      { kind: 'given', plugin: 'forum', module: 'topics', scope: general, permissions: ['can_view_reports'] },
    ]);
  });

  it('is nothing where nothing did', () => {
    expect(changesBetween(toMap([grant('can_pin')]), toMap([grant('can_pin')]), [])).toEqual([]);
  });
});

describe('a fault', () => {
  it.each([
    ['permissions[1].scope.ids[0]', 'forum:posts:b'],
    ['permissions[7]', null],
    ['unrestricted', null],
  ])('at %s concerns %s', (path, expected) => {
    expect(keyAt(path, [grant('a'), grant('b')])).toBe(expected);
  });
});
