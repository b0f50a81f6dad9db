import { useSession } from '../session/useSession';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `docket demo` listens on loopback only, so its accounts are offered only there. */
function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Reports whether the server has the demo's forum. Without it no screen asks for the forum's routes. */
export const useDemoForum = () => useSession().data?.demoForum === true;

/** Reports whether this is the demo, on a loopback address. */
export const useIsDemo = () => useDemoForum() && isLoopback(location.hostname);
