const effects = new Set(['useEffect', 'useLayoutEffect', 'useInsertionEffect']);

/** The name that is called: useEffect in useEffect() and in React.useEffect(). */
function calledName({ callee }) {
  return callee.type === 'MemberExpression' ? callee.property.name : callee.name;
}

/**
 * React takes whatever an effect returns for its clean-up and calls it when the screen
 * is left. `useEffect(() => element.scrollIntoView())` breaks as soon as a browser
 * returns something from there. Without braces, only a function is accepted; to use the
 * result of a call as the clean-up, write `return`.
 */
const cleanupOnly = {
  meta: {
    type: 'problem',
    messages: { returns: 'This effect returns the value of an expression, which React calls as a clean-up. Put the body in braces, with return only before a clean-up.' },
  },
  create(context) {
    return {
      CallExpression(node) {
        const [effect] = node.arguments;
        if (!effects.has(calledName(node)) || effect?.type !== 'ArrowFunctionExpression') return;
        if (effect.body.type === 'BlockStatement') return;
        if (effect.body.type === 'ArrowFunctionExpression' || effect.body.type === 'FunctionExpression') return;
        context.report({ node: effect.body, messageId: 'returns' });
      },
    };
  },
};

export default { meta: { name: 'effects' }, rules: { 'cleanup-only': cleanupOnly } };
