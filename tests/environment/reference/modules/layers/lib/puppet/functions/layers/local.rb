# @summary A function with types of its own.
Puppet::Functions.create_function(:'layers::local') do
  local_types do
    type 'Word = Variant[String[1], Words]'
    type "Words = Array[Word]"
  end

  # @param words The words.
  # @return [String] them
  dispatch :local do
    param 'Words', :words
  end
end
