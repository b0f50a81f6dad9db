package rule

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"

	"github.com/docketmod/docket/domain"
)

// The limits of an expression.
const (
	// MaxWhen is the longest expression, in code points.
	MaxWhen = 4000
	// MaxCost bounds an evaluation in CEL's cost units. A comparison costs 1, and a search for a pattern of ten letters
	// in the longest text about 5,000. A million take at most a tenth of a second.
	MaxCost = 1_000_000
	// maxRegex bounds a pattern, in instructions of RE2.
	maxRegex = 1000
	maxDepth = 50
)

// Expression is a condition on facts, in the Common Expression Language (https://cel.dev). It is checked,
// bounded in cost and safe for concurrent use. Its patterns are RE2.
type Expression struct {
	text    string
	program cel.Program
	parts   func() []*Expression
}

// environment declares the facts, and no functions that depend on a clock or a network.
var environment = sync.OnceValue(func() *cel.Env {
	options := []cel.EnvOption{
		cel.OptionalTypes(), // signals[?"spam"].orValue(0.0)
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(MaxWhen),
		cel.ParserRecursionLimit(maxDepth),
		cel.RegexProgramSizeLimit(maxRegex),
		cel.ASTValidators(cel.ValidateRegexLiterals(), cel.ValidateTimestampLiterals(), cel.ValidateDurationLiterals(), literalPatterns{}),
	}
	for _, v := range variables {
		options = append(options, cel.Variable(v.name, v.kind))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		panic(err)
	}
	return env
})

// Parse checks the text of an expression. It returns every fault with its line and column, from 1 and in
// code points.
func Parse(when string) (*Expression, []domain.Issue) {
	fault := func(column int, code, message string) (*Expression, []domain.Issue) {
		return nil, []domain.Issue{{Path: "when", Code: code, Message: message, Line: 1, Column: column}}
	}
	if strings.TrimSpace(when) == "" {
		return fault(1, "required", "Must not be empty.")
	}
	if utf8.RuneCountInString(when) > MaxWhen {
		return fault(MaxWhen+1, "too_long", fmt.Sprintf("Must have at most %d characters.", MaxWhen))
	}
	checked, found := environment().Compile(when)
	if err := found.Err(); err != nil {
		return nil, faults(found)
	}
	if checked.OutputType() != cel.BoolType {
		return fault(1, "wrong_type", fmt.Sprintf("Must be true or false, and is of the type %s.", checked.OutputType()))
	}
	estimate, err := environment().EstimateCost(checked, sizes{})
	if err != nil || estimate.Max > MaxCost {
		return fault(1, "too_costly", fmt.Sprintf("May cost %d in the worst case, and at most %d is allowed. Search fewer texts, or use shorter patterns.", estimate.Max, MaxCost))
	}
	program, err := environment().Program(checked, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(MaxCost))
	if err != nil {
		return fault(1, "invalid", "Cannot be evaluated: "+err.Error())
	}
	return &Expression{when, program, partsOf(when)}, nil
}

// Text returns the expression as it was written.
func (e *Expression) Text() string { return e.text }

// Matches reports whether the facts satisfy the expression. It returns an error if the expression cannot be evaluated,
// for example for a missing signal or a division by zero.
func (e *Expression) Matches(f *Facts) (bool, error) {
	value, _, err := e.program.Eval(f)
	if err != nil {
		return false, fmt.Errorf("evaluate a rule: %w", err)
	}
	yes, ok := value.Value().(bool)
	if !ok {
		return false, errors.New("evaluate a rule: the result is neither true nor false")
	}
	return yes, nil
}

func faults(found *cel.Issues) []domain.Issue {
	var all []domain.Issue
	for _, e := range found.Errors() {
		line, column := 1, 1
		if e.Location.Line() > 0 {
			line, column = e.Location.Line(), e.Location.Column()+1
		}
		all = append(all, domain.Issue{Path: "when", Code: "invalid", Message: sentence(e.Message), Line: line, Column: column})
	}
	return all
}

// sentence turns a message of CEL into a sentence. It contains nothing that other users wrote.
func sentence(message string) string {
	message = strings.TrimSuffix(strings.ReplaceAll(message, " (in container '')", ""), ".")
	if message == "" {
		return "Cannot be read."
	}
	return strings.ToUpper(message[:1]) + message[1:] + "."
}

// sizes gives CEL the largest sizes of the facts, to bound the cost of an expression.
type sizes struct{}

func (sizes) EstimateSize(node cost.AstNode) *cost.SizeEstimate {
	path := node.Path()
	if len(path) == 0 {
		return nil
	}
	for _, v := range variables {
		if v.name != path[0] {
			continue
		}
		size := v.size
		if len(path) > 1 {
			size = v.each
		}
		return &cost.SizeEstimate{Min: 0, Max: size}
	}
	return nil
}

func (sizes) EstimateCallCost(string, string, *cost.AstNode, []cost.AstNode) *cost.CallEstimate {
	return nil
}

// literalPatterns refuses patterns that are not literals: reported text must not be run as a pattern.
type literalPatterns struct{}

func (literalPatterns) Name() string { return "docket.literal_patterns" }

func (literalPatterns) Validate(_ *cel.Env, _ cel.ValidatorConfig, a *ast.AST, found *cel.Issues) {
	for _, e := range ast.MatchDescendants(ast.NavigateAST(a), ast.FunctionMatcher(overloads.Matches)) {
		args := e.AsCall().Args()
		if len(args) == 0 {
			continue
		}
		if p := args[len(args)-1]; p.Kind() != ast.LiteralKind || p.AsLiteral().Type() != types.StringType {
			found.ReportErrorAtID(p.ID(), "a pattern must be written out")
		}
	}
}
